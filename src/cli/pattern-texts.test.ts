import { describe, expect, test } from 'vitest'
import type { RetryPattern } from '../index.ts'
import { histogram, patternsTable, patternText } from './pattern-texts.ts'

const plain = (_: string, text: string): string => text

const pattern: RetryPattern = {
  source: 'stripe',
  since: new Date('2026-01-01T00:00:00Z'),
  until: new Date('2026-01-08T00:00:00Z'),
  events: 9,
  copies: 11,
  isComplete: true,
  copiesPerEvent: [
    { copies: 1, events: 8 },
    { copies: 3, events: 1 },
  ],
  delays: [
    { fromSeconds: 0, toSeconds: 1, copies: 0 },
    { fromSeconds: 1, toSeconds: 5, copies: 0 },
    { fromSeconds: 3600, toSeconds: 14_400, copies: 10 },
    { fromSeconds: 2_592_000, toSeconds: undefined, copies: 1 },
  ],
  causes: [
    { cause: 'slow_answer', copies: 10 },
    { cause: 'resent', copies: 1 },
  ],
  documented: {
    title: 'Stripe',
    retrySchedule: 'with growing pauses',
    retryHours: 72,
    isFailureRetried: true,
    manualReplayDays: 30,
    deadlineSeconds: undefined,
  },
  remarks: ['10 copies came late.'],
}

describe('retry patterns for people', () => {
  test('stand in a table, one line for each source', () => {
    expect(patternsTable([pattern], plain).split('\n')).toEqual([
      'SOURCE  EVENTS  COPIES  MOSTLY AFTER  MOSTLY BECAUSE         DOCUMENTED',
      'stripe       9      11  1 h – 4 h     after our slow answer  for 3 d',
    ])
  })

  test('are drawn from the first bucket that has copies to the last', () => {
    const text = patternText(pattern, plain)

    expect(text).toContain('stripe  11 copies of 9 events')
    expect(text).toContain('  1 h – 4 h  ████████████████████████████████████████ 10')
    expect(text).toContain('  over 30 d  ████ 1')
    expect(text).not.toContain('under')
    expect(text).toContain('10 copies came late.')
  })

  test('show a bar for whatever is there, however small', () => {
    const lines = histogram(
      [
        { label: 'a', size: 1000 },
        { label: 'b', size: 1 },
        { label: 'c', size: 0 },
      ],
      plain,
    )

    expect(lines.slice(1)).toEqual(['  b  █ 1', '  c  0'])
  })
})
