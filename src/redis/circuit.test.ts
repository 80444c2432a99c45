import { describe, expect, test } from 'vitest'
import { createManualClock, settle } from '../../test/support/manual-clock.ts'
import { createCircuit } from './circuit.ts'

function circuit() {
  const clock = createManualClock()
  const told: string[] = []
  const { run } = createCircuit({
    clock,
    deadlineMilliseconds: 5,
    onOpen: (reason) => void told.push(`open: ${reason instanceof Error ? reason.message : ''}`),
    onClose: () => void told.push('close'),
  })
  let calls = 0
  const counted =
    <Value>(call: () => Promise<Value>) =>
    () => {
      calls += 1
      return call()
    }
  const answering = counted(async () => 'answer')
  const failing = counted(() => Promise.reject(new Error('away')))
  return { clock, told, run, answering, failing, counted, calls: () => calls }
}

async function fail({ run, failing }: ReturnType<typeof circuit>, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await run(failing)
}

describe('a circuit', () => {
  test('hands on what is answered in time', async () => {
    const { run, answering, told } = circuit()

    expect(await run(answering)).toBe('answer')
    expect(told).toEqual([])
  })

  test('gives up what is late, and has no rejection of it unhandled', async () => {
    const { run, clock } = circuit()
    let rejectLate: (error: Error) => void = () => {}

    const late = run(() => new Promise((_, reject) => (rejectLate = reject)))
    await clock.advance(5)

    expect(await late).toBeUndefined()
    rejectLate(new Error('much later'))
    await settle()
  })

  test('opens after three failures in a row and says so once', async () => {
    const made = circuit()

    await fail(made, 2)
    await made.run(made.answering)
    await fail(made, 5)

    expect(made.told).toEqual(['open: away'])
    expect(made.calls()).toBe(6)
    expect(await made.run(made.answering)).toBeUndefined()
  })

  test('tries again after a second, for which nobody waits, and closes when that is answered', async () => {
    const made = circuit()
    await fail(made, 3)
    await made.clock.advance(1000)

    expect(await made.run(made.answering)).toBeUndefined()
    await settle()

    expect(made.told).toEqual(['open: away', 'close'])
    expect(await made.run(made.answering)).toBe('answer')
  })

  test('pauses for longer after each trial that fails', async () => {
    const made = circuit()
    await fail(made, 3)

    const tried: number[] = []
    for (let second = 1; second <= 40; second += 1) {
      await made.clock.advance(1000)
      const before = made.calls()
      await made.run(made.failing)
      if (made.calls() > before) tried.push(second)
    }

    expect(tried).toEqual([1, 2, 4, 8, 16, 32])
    expect(made.told).toHaveLength(1)
  })

  test('takes a late answer as a sign that it can try again', async () => {
    const made = circuit()
    let answerLate: (value: string) => void = () => {}
    const late = made.run(made.counted(() => new Promise<string>((resolve) => (answerLate = resolve))))
    await made.clock.advance(5)
    await late
    await fail(made, 2)

    answerLate('at last')
    await settle()
    await made.run(made.answering)
    await settle()

    expect(made.told).toEqual(['open: away', 'close'])
  })

  test('has no more than sixteen calls under way, so that a client that keeps them all does not fill the memory', async () => {
    const made = circuit()
    const hanging = made.counted(() => new Promise<string>(() => {}))

    const started = Array.from({ length: 40 }, () => made.run(hanging))
    await made.clock.advance(5)
    await Promise.all(started)
    for (let second = 0; second < 100; second += 1) {
      await made.run(hanging)
      await made.clock.advance(30_000)
    }

    expect(made.calls()).toBe(16)
  })
})
