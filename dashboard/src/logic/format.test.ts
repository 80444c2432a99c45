import { describe, expect, test } from 'vitest'
import {
  formatAgo,
  formatBytes,
  formatCount,
  formatDelta,
  formatDuration,
  formatShare,
  formatTime,
  many,
  words,
} from './format.ts'

describe('a duration', () => {
  test.each([
    [0, '0 ms'],
    [0.3, '<1 ms'],
    [85.4, '85 ms'],
    [4_230, '4.2 s'],
    [59_990, '1 min'],
    [725_000, '12 min'],
    [7_260_000, '2 h 1 min'],
    [273_600_000, '3 d 4 h'],
  ])('of %d ms is %s', (milliseconds, text) => {
    expect(formatDuration(milliseconds)).toBe(text)
  })
})

describe('a time', () => {
  const now = Date.parse('2026-01-02T03:04:05Z')

  test.each([
    ['2026-01-02T03:04:03Z', 'just now'],
    ['2026-01-02T03:03:35Z', '30 s ago'],
    ['2026-01-02T01:00:00Z', '2 h ago'],
    ['2026-01-04T03:04:05Z', 'in 2 d'],
    ['never', 'never'],
  ])('%s is %s', (at, text) => {
    expect(formatAgo(at, now)).toBe(text)
  })

  test('is shown to the millisecond, and as it stands if it is none', () => {
    expect(formatTime('2026-01-02T03:04:05.067')).toBe('2026-01-02 03:04:05.067')
    expect(formatTime('soon')).toBe('soon')
  })
})

describe('a number', () => {
  test.each([
    [0, '0 %'],
    [0.0001, '<0.1 %'],
    [0.0042, '0.4 %'],
    [0.123, '12 %'],
    [1, '100 %'],
  ])('%d as a share is %s', (share, text) => {
    expect(formatShare(share)).toBe(text)
  })

  test.each([
    [999, '999'],
    [1_284, '1\u202f284'],
    [12_345, '12.3 k'],
    [999_960, '1 M'],
    [10_000_000, '10 M'],
    [4_100_000_000, '4.1 G'],
  ])('%d is %s', (count, text) => {
    expect(formatCount(count)).toBe(text)
  })

  test('has its sign, its unit and its noun', () => {
    expect([formatDelta(12), formatDelta(-3), formatDelta(0)]).toEqual(['+12', '−3', '±0'])
    expect([formatBytes(512), formatBytes(1_536), formatBytes(3 * 1_048_576)]).toEqual(['512 B', '1.5 KB', '3 MB'])
    expect([many(1, 'copy', 'copies'), many(2, 'copy', 'copies'), many(0, 'row')]).toEqual([
      '1 copy',
      '2 copies',
      '0 rows',
    ])
  })
})

test('a name of the machine is words for people', () => {
  expect(['same_change', 'firstAttemptErrors', 'lag'].map(words)).toEqual([
    'same change',
    'first attempt errors',
    'lag',
  ])
})
