import { describe, expect, test } from 'vitest'
import { handlerRun } from '../../../test/store/store-under-test.ts'
import type { CompletedInline } from '../store.ts'
import { createRecording } from './log-inline-runs.ts'

function completed(parts: Partial<CompletedInline> = {}): CompletedInline {
  const key = { environment: 'default', source: 'stripe', eventId: 'evt_1' }
  return { receiptId: '1', key, run: handlerRun(), ending: 'processed', ...parts }
}

describe('a receipt that was written as processed', () => {
  test('says all if its handler was done soon after', () => {
    let now = 1000
    const recording = createRecording(() => now)
    recording.happened()
    now += 50

    expect(recording.saysAll([completed(), completed()])).toBe(true)
  })

  test.each([
    ['the handler took its time', 51, completed()],
    ['it was stale', 0, completed({ ending: 'stale' })],
    ['it was an attempt after the first', 0, completed({ run: handlerRun({ attempt: 2 }) })],
    ['the handler failed', 0, completed({ run: handlerRun({ outcome: 'failed' }) })],
  ])('does not say all if %s', (_, milliseconds, one) => {
    let now = 1000
    const recording = createRecording(() => now)
    recording.happened()
    now += milliseconds

    expect(recording.saysAll([completed(), one])).toBe(false)
  })

  test('says nothing of what another transaction recorded', () => {
    expect(createRecording().saysAll([completed()])).toBe(false)
  })
})
