import { describe, expect, test } from 'vitest'
import { secondsUntilOpen, windowMistakes } from './off-peak.ts'

describe('an off-peak window', () => {
  const night = { from: '01:00', to: '05:00' } as const

  test.each([
    ['2026-01-01T00:59:30Z', 30],
    ['2026-01-01T01:00:00Z', 0],
    ['2026-01-01T04:59:59Z', 0],
    ['2026-01-01T05:00:00Z', 20 * 3600],
  ])('at %s opens in %i seconds', (at, seconds) => {
    expect(secondsUntilOpen(night, new Date(at))).toBe(seconds)
  })

  test('may last over midnight', () => {
    const window = { from: '22:00', to: '02:00' }

    expect(secondsUntilOpen(window, new Date('2026-01-01T23:00:00Z'))).toBe(0)
    expect(secondsUntilOpen(window, new Date('2026-01-01T01:00:00Z'))).toBe(0)
    expect(secondsUntilOpen(window, new Date('2026-01-01T12:00:00Z'))).toBe(10 * 3600)
  })

  test('goes by the clocks of its time zone, also in summer', () => {
    const berlin = { ...night, timeZone: 'Europe/Berlin' }

    expect(secondsUntilOpen(berlin, new Date('2026-01-01T00:30:00Z'))).toBe(0)
    expect(secondsUntilOpen(berlin, new Date('2026-07-01T03:30:00Z'))).toBe(19.5 * 3600)
  })

  test('is refused with all its mistakes', () => {
    expect(windowMistakes(night)).toEqual([])
    expect(windowMistakes({ from: '1:00', to: '25:00', timeZone: 'Mars' })).toHaveLength(3)
    expect(windowMistakes({ from: '01:00', to: '01:00' })).toHaveLength(1)
    expect(windowMistakes('night')).toHaveLength(1)
  })
})
