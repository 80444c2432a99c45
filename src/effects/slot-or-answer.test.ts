import { describe, expect, test } from 'vitest'
import { createManualClock, settle } from '../../test/support/manual-clock.ts'
import { LazyAbort } from '../abort.ts'
import { takeSlotOrAnswer } from './slot-or-answer.ts'
import { createSlots, type Slots } from './slots.ts'

type Waiter = { readonly asked: () => number; readonly place: Promise<unknown>; readonly deadline: LazyAbort }

function createLine(): {
  readonly slots: Slots
  readonly advance: (milliseconds: number) => Promise<void>
  readonly leave: () => Promise<void>
  readonly join: (answer?: string) => Waiter
} {
  const clock = createManualClock()
  const slots = createSlots(1)
  const leaving: (() => void)[] = []
  return {
    slots,
    advance: clock.advance,
    async leave() {
      leaving.shift()?.()
      await settle()
    },
    join(answer) {
      let asked = 0
      const deadline = new LazyAbort()
      const ask = async (): Promise<string | undefined> => {
        asked += 1
        return answer
      }
      const place = takeSlotOrAnswer({ slots, clock, deadline, ask }).then((taken) => {
        if (taken === undefined || 'answer' in taken) return taken
        leaving.push(taken.leave)
        return 'a place'
      })
      return { asked: () => asked, place, deadline }
    },
  }
}

describe('waiting for a place', () => {
  test('takes one that is free without asking', async () => {
    const { join } = createLine()

    const first = join('known')

    expect(await first.place).toBe('a place')
    expect(first.asked()).toBe(0)
  })

  test('ends with the answer if the line does not move', async () => {
    const { join, advance, leave, slots } = createLine()
    await join().place

    const known = join('known')
    await advance(250)

    expect(await known.place).toEqual({ answer: 'known' })
    await leave()
    expect(slots.hasFree()).toBe(true)
  })

  test('goes on in the same place if the answer is not known', async () => {
    const { join, advance, leave } = createLine()
    await join().place
    const unknown = join()
    await advance(250)
    const later = join('known')

    await leave()

    expect(await unknown.place).toBe('a place')
    expect([unknown.asked(), later.asked()]).toEqual([1, 0])
  })

  test('asks nothing while the line moves on', async () => {
    const { join, advance, leave } = createLine()
    await join().place
    const line = [join(), join(), join(), join()]
    const last = join('known')
    for (let gone = 0; gone < 3; gone += 1) await leave()
    await advance(250)

    expect(last.asked()).toBe(0)
    expect(await Promise.all(line.slice(0, 3).map(({ place }) => place))).toEqual(['a place', 'a place', 'a place'])
    await leave()
    await leave()
    expect(await last.place).toBe('a place')
  })

  test('asks after all if the line comes to a halt', async () => {
    const { join, advance, leave } = createLine()
    await join().place
    for (const _ of [1, 2, 3]) join()
    const last = join('known')
    await leave()
    await leave()
    await advance(250)
    expect(last.asked()).toBe(0)

    await advance(500)

    expect(await last.place).toEqual({ answer: 'known' })
  })

  test('ends with the deadline, and leaves the line', async () => {
    const { join, leave, slots } = createLine()
    await join().place
    const impatient = join()

    impatient.deadline.abort()

    expect(await impatient.place).toBeUndefined()
    await leave()
    expect(slots.hasFree()).toBe(true)
  })

  test('gives the place back if asking fails', async () => {
    const clock = createManualClock()
    const slots = createSlots(1)
    const leave = await slots.take()
    const failing = takeSlotOrAnswer({
      slots,
      clock,
      deadline: new LazyAbort(),
      ask: () => Promise.reject(new Error('The store is away.')),
    })
    failing.catch(() => {})
    await clock.advance(250)
    await expect(failing).rejects.toThrow('away')

    leave?.()
    await settle()

    expect(slots.hasFree()).toBe(true)
  })
})
