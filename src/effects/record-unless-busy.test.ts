import { describe, expect, test } from 'vitest'
import { signedReceipt } from '../../test/store/store-under-test.ts'
import { createManualClock } from '../../test/support/manual-clock.ts'
import type { Recorded } from '../receipt/receipt.ts'
import { createRecordUnlessBusy } from './record-unless-busy.ts'

const first: Recorded = { kind: 'first', receiptId: '1' }
const receipt = signedReceipt('one', 'body')

function recorderThat(answers: (call: number) => Recorded) {
  const clock = createManualClock()
  let calls = 0
  const record = async (): Promise<readonly Recorded[]> => [answers(++calls)]
  const recordUnlessBusy = createRecordUnlessBusy({ record, clock, random: () => 0.5 })
  return { clock, calls: () => calls, record: () => recordUnlessBusy(receipt, clock.now().getTime() + 5000) }
}

describe('a receipt whose body another transaction is recording', () => {
  test('is asked about until that one has ended, with longer and longer pauses', async () => {
    const { clock, calls, record } = recorderThat((call) => (call < 5 ? { kind: 'busy' } : first))

    const recorded = record()
    await clock.advance(10 + 20 + 40)
    expect(calls()).toBe(4)
    await clock.advance(80)

    expect(await recorded).toEqual(first)
    expect(calls()).toBe(5)
  })

  test('is still busy when the time is up', async () => {
    const { clock, calls, record } = recorderThat(() => ({ kind: 'busy' }))

    const recorded = record()
    await clock.advance(5000)
    const callsInTime = calls()
    await clock.advance(60_000)

    expect(await recorded).toEqual({ kind: 'busy' })
    expect(calls()).toBe(callsInTime)
    expect(calls()).toBeLessThan(30)
  })
})

test('a receipt that nobody else is recording is asked about once, and nothing waits for the time', async () => {
  const { calls, record } = recorderThat(() => first)

  expect(await record()).toEqual(first)
  expect(calls()).toBe(1)
})
