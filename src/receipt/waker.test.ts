import { describe, expect, test } from 'vitest'
import { createManualClock, settle } from '../../test/support/manual-clock.ts'
import { createWaker } from './waker.ts'

function wakerWith(isRunning: boolean) {
  const clock = createManualClock()
  const calls: (() => void)[] = []
  let localCalls = 0
  const waker = createWaker({
    local: { isRunning: () => isRunning, wake: () => void (localCalls += 1) },
    wakeOthers: () => new Promise((resolve) => calls.push(resolve)),
    clock,
    onError: () => {},
  })
  return { waker, clock, calls, localCalls: () => localCalls }
}

describe('telling workers that something is due', () => {
  test('waits for the call to the others where there is no worker here', async () => {
    const { waker, calls } = wakerWith(false)
    let isTold = false

    void waker.wake().then(() => (isTold = true))
    await settle()
    expect(isTold).toBe(false)
    calls[0]?.()
    await settle()

    expect(isTold).toBe(true)
  })

  test('does not wait where there is one, and still calls the others', async () => {
    const { waker, calls, localCalls } = wakerWith(true)

    await waker.wake()

    expect([localCalls(), calls.length]).toEqual([1, 1])
  })

  test('does not count a call that was sent before the event was there', async () => {
    const { waker, calls } = wakerWith(false)
    const told: string[] = []

    void waker.wake().then(() => told.push('first'))
    void waker.wake().then(() => told.push('second'))
    void waker.wake().then(() => told.push('third'))
    calls[0]?.()
    await settle()
    expect([told, calls.length]).toEqual([['first'], 2])
    calls[1]?.()
    await settle()

    expect([told, calls.length]).toEqual([['first', 'second', 'third'], 2])
  })
})
