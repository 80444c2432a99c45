import { describe, expect, test } from 'vitest'
import { signedReceipt } from '../../test/store/store-under-test.ts'
import { createManualClock } from '../../test/support/manual-clock.ts'
import type { Recorded } from '../receipt/receipt.ts'
import { createRecordAgain } from './record-again.ts'

const first: Recorded = { kind: 'first', receiptId: '1' }
const receipt = signedReceipt('one', 'body')

function recorderThat(answers: (call: number) => Recorded) {
  const clock = createManualClock()
  let calls = 0
  const record = async (): Promise<Recorded> => answers(++calls)
  const recordAgain = createRecordAgain({ record, clock, random: () => 0.5 })
  return { clock, calls: () => calls, record: () => recordAgain(receipt, clock.now().getTime() + 5000) }
}

describe('a receipt whose body another transaction is recording', () => {
  test('is asked about until that one has ended, with longer and longer pauses', async () => {
    const { clock, calls, record } = recorderThat((call) => (call < 4 ? { kind: 'busy' } : first))

    const recorded = record()
    await clock.advance(10 + 20 + 40)
    expect(calls()).toBe(3)
    await clock.advance(80)

    expect(await recorded).toEqual(first)
    expect(calls()).toBe(4)
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

test('a receipt that is free by then is recorded by the next try', async () => {
  const { clock, calls, record } = recorderThat(() => first)

  const recorded = record()
  await clock.advance(10)

  expect(await recorded).toEqual(first)
  expect(calls()).toBe(1)
})
