import { describe, expect, test } from 'vitest'
import { dayAndTime, describeDuration, parseMoment, timeOfDay } from './duration.ts'

describe('a length of time', () => {
  test.each([
    [0, '0.0 ms'],
    [-5, '0.0 ms'],
    [3.14, '3.1 ms'],
    [850.4, '850 ms'],
    [999.6, '1.0 s'],
    [1234, '1.2 s'],
    [59_400, '59 s'],
    [59_600, '1 min'],
    [3_540_000, '59 min'],
    [3_599_000, '1 h'],
    [100_000_000, '28 h'],
    [200_000_000, '2 d'],
  ])('of %d ms reads %s', (milliseconds, expected) => {
    expect(describeDuration(milliseconds)).toBe(expected)
  })
})

describe('a moment', () => {
  const now = new Date('2026-03-01T12:00:00Z')

  test.each([
    ['90s', '2026-03-01T11:58:30.000Z'],
    ['15m', '2026-03-01T11:45:00.000Z'],
    ['2h', '2026-03-01T10:00:00.000Z'],
    ['7d', '2026-02-22T12:00:00.000Z'],
    ['2026-02-28T01:02:03Z', '2026-02-28T01:02:03.000Z'],
  ])('given as %s is understood', (text, expected) => {
    expect(parseMoment(text, now)?.toISOString()).toBe(expected)
  })

  test.each(['yesterday', '2 h', '', '5', '2026-99-99', '1e3s'])('is not guessed from %j', (text) => {
    expect(parseMoment(text, now)).toBeUndefined()
  })
})

describe('a time on the wall', () => {
  test('has a fixed width', () => {
    const at = new Date(2026, 0, 2, 3, 4, 5, 6)

    expect(timeOfDay(at)).toBe('03:04:05.006')
    expect(dayAndTime(at)).toBe('2026-01-02 03:04:05')
  })
})
