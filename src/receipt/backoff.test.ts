import { describe, expect, test } from 'vitest'
import { exponentialBackoff } from './backoff.ts'

describe('the delay between attempts', () => {
  test('doubles from ten seconds and stops growing at six hours', () => {
    const backoff = exponentialBackoff({}, () => 0.5)

    expect([1, 2, 3, 4].map(backoff)).toEqual([10, 20, 40, 80])
    expect(backoff(40)).toBe(21_600)
  })

  test('varies by the jitter in both directions', () => {
    expect(exponentialBackoff({ jitter: 0.2 }, () => 0)(1)).toBeCloseTo(8)
    expect(exponentialBackoff({ jitter: 0.2 }, () => 1)(1)).toBeCloseTo(12)
  })

  test('is zero when the first delay is zero', () => {
    expect(exponentialBackoff({ firstSeconds: 0 }, () => 0.7)(5)).toBe(0)
  })
})
