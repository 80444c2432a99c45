import { describe, expect, test } from 'vitest'
import { settle } from '../../test/support/manual-clock.ts'
import { createSlots } from './slots.ts'

describe('places for running handlers', () => {
  test('are given in the order of asking, and never more than there are', async () => {
    const slots = createSlots(2)
    const entered: number[] = []
    const leave: (() => void)[] = []
    for (const number of [1, 2, 3, 4]) {
      void slots.take().then((giveBack) => {
        entered.push(number)
        if (giveBack !== undefined) leave.push(giveBack)
      })
    }
    await settle()
    expect(entered).toEqual([1, 2])

    leave[0]?.()
    leave[0]?.()
    await settle()

    expect(entered).toEqual([1, 2, 3])
  })

  test('are not waited for longer than the signal says', async () => {
    const slots = createSlots(1)
    const giveBack = await slots.take()
    const impatient = new AbortController()
    const first = slots.take(impatient)
    const second = slots.take()

    impatient.abort()
    giveBack?.()

    expect(await first).toBeUndefined()
    expect(await second).toBeTypeOf('function')
    expect(await slots.take(impatient)).toBeUndefined()
  })
})
