import { describe, expect, test } from 'vitest'
import { verdictOf } from './meters.ts'

const now = new Date('2026-03-10T00:00:00Z')
const daysAgo = (days: number): Date => new Date(now.getTime() - days * 86_400_000)
const seen = { position: 2, deliveries: 5, lastSeenAt: daysAgo(4), since: daysAgo(30), othersSince: 100 }

describe('a secret', () => {
  test('is quiet when it has verified nothing for days while others did', () => {
    expect(verdictOf(seen, 2, now)).toBe('quiet')
    expect(verdictOf({ ...seen, lastSeenAt: undefined }, 2, now)).toBe('quiet')
  })

  test('is not quiet because the source is', () => {
    expect(verdictOf({ ...seen, othersSince: 19 }, 2, now)).toBe('in_use')
    expect(verdictOf({ ...seen, lastSeenAt: undefined, othersSince: 19 }, 2, now)).toBe('unknown')
  })

  test('is not quiet before its time', () => {
    expect(verdictOf({ ...seen, lastSeenAt: daysAgo(2.9) }, 2, now)).toBe('in_use')
    expect(verdictOf({ ...seen, lastSeenAt: undefined, since: daysAgo(1) }, 2, now)).toBe('unknown')
    expect(verdictOf({ ...seen, lastSeenAt: undefined, since: undefined }, 2, now)).toBe('unknown')
  })

  test('is never quiet if it is the only one', () => {
    expect(verdictOf(seen, 1, now)).toBe('in_use')
  })
})
