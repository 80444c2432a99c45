import { describe, expect, test } from 'vitest'
import { millisecondsOf } from './duration.ts'
import { manualClock } from './manual-clock.ts'

describe('a manual clock', () => {
  test('stands still until it is moved', async () => {
    const clock = manualClock('2026-01-01')

    await clock.advance('3 days')
    await clock.advance(1500)
    await clock.advanceTo(new Date('2025-06-01'))

    expect(clock.now()).toEqual(new Date('2026-01-04T00:00:01.500Z'))
  })

  test('tells of a move before those who waited for it go on, the earliest first', async () => {
    const clock = manualClock('2026-01-01')
    const heard: string[] = []
    const end = clock.onMove(async (now) => void heard.push(`moved to ${now.toISOString()}`))
    void clock.wait(7_200_000).then(() => heard.push('two hours'))
    void clock.wait(3_600_000).then(() => heard.push('one hour'))
    void clock.wait(86_400_000).then(() => heard.push('a day'))

    await clock.advance('3 hours')
    end()
    await clock.advance('1 hour')

    expect(heard).toEqual(['moved to 2026-01-01T03:00:00.000Z', 'one hour', 'two hours'])
  })

  test('lets nobody wait who was called off', async () => {
    const clock = manualClock()
    const calledOff = new AbortController()
    const waiting = clock.wait(3_600_000, calledOff.signal)

    calledOff.abort()

    await expect(waiting).resolves.toBeUndefined()
    await expect(clock.wait(3_600_000, calledOff.signal)).resolves.toBeUndefined()
  })

  test.each([
    ['1 second', 1000],
    ['1.5 hours', 5_400_000],
    ['2 weeks', 1_209_600_000],
    [250, 250],
  ] as const)('knows how long %j is', (duration, milliseconds) => {
    expect(millisecondsOf(duration)).toBe(milliseconds)
  })

  test.each(['3 fortnights', '-1 days', 'soon', -5, Number.NaN])('refuses %j', (duration) => {
    expect(() => millisecondsOf(duration as number)).toThrow(/no length of time/)
    expect(() => manualClock('not a date')).toThrow(/is not a date/)
  })
})
