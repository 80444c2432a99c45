import { describe, expect, test } from 'vitest'
import type { LiveEvent } from '../api/live.ts'
import { doneSteps, freshGuide, type GuideMemory, guideAfter, readGuide, seenOf } from './guide.ts'

function event(kind: 'delivery' | 'handler', eventId: string, outcome: string): LiveEvent {
  return { kind, at: '2026-01-02T03:04:05Z', eventId, outcome, receiptId: `receipt of ${eventId}` }
}

function after(memory: GuideMemory, ...events: readonly LiveEvent[]): GuideMemory {
  return events.reduce(guideAfter, memory)
}

describe('the guide', () => {
  test('ticks its steps off one after the other, from what happens', () => {
    const sent = after({ ...freshGuide, first: 'one' }, event('delivery', 'one', 'accepted'))
    const processed = after(sent, event('handler', 'one', 'succeeded'))
    const copied = after(processed, event('delivery', 'one', 'duplicate'), event('delivery', 'one', 'duplicate'))
    const broken = { ...copied, wasBroken: true, second: 'two' }
    const retried = after(broken, event('delivery', 'two', 'accepted'), event('handler', 'two', 'retrying'))
    const dead = after(retried, event('handler', 'two', 'retrying'), event('handler', 'two', 'dead'))
    const fixed = { ...dead, wasFixed: true }
    const replayed = after(fixed, event('handler', 'two', 'succeeded'))

    expect(
      [freshGuide, sent, processed, copied, broken, retried, dead, fixed, replayed].map((one) => doneSteps(one).length),
    ).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
    expect(seenOf(copied, 'one')).toMatchObject({ deliveries: 3, duplicates: 2, receiptId: 'receipt of one' })
  })

  test('knows what it heard of before it knew the id', () => {
    const heard = after(freshGuide, event('delivery', 'one', 'accepted'), event('handler', 'one', 'succeeded'))

    expect(doneSteps({ ...heard, first: 'one' })).toEqual(['send', 'see'])
  })

  test('takes no step before those in front of it', () => {
    expect(doneSteps({ ...freshGuide, wasBroken: true, wasFixed: true })).toEqual([])
  })

  test('remembers a bounded number of events', () => {
    const events = Array.from({ length: 100 }, (_, index) => event('delivery', String(index), 'accepted'))

    expect(after(freshGuide, ...events).seen).toHaveLength(40)
  })

  test('reads what it wrote, and begins anew with anything else', () => {
    const memory = after({ ...freshGuide, first: 'one' }, event('delivery', 'one', 'accepted'))

    expect(readGuide(JSON.stringify(memory))).toEqual(memory)
    expect([readGuide(null), readGuide('no'), readGuide('{"seen":1}')]).toEqual([freshGuide, freshGuide, freshGuide])
  })
})
