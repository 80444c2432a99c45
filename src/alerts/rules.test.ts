import { describe, expect, test } from 'vitest'
import type { AlertSituation, SourceSituation, TrafficSums } from '../store/alert-store.ts'
import { alertSettingsOf } from './alert-options.ts'
import { median, usualCount, usualShare } from './baseline.ts'
import { type Finding, findAll } from './rules.ts'

const at = new Date('2026-01-20T12:00:00Z')

function sums(parts: Partial<TrafficSums> = {}): TrafficSums {
  const none = { events: 0, handled: 0, failed: 0, copies: 0, answered: 0, near: 0, late: 0, forged: 0 }
  return { ...none, slowestMilliseconds: 0, ...parts }
}

function source(parts: Partial<SourceSituation> = {}): SourceSituation {
  return { source: 'stripe', window: sums(), hours: [], weeks: [], silence: undefined, ...parts }
}

function situation(parts: Partial<AlertSituation> = {}): AlertSituation {
  const none = { lag: undefined, deadLetters: [], deadMessages: [], upkeep: [], open: [], mutes: [] }
  return { at, sources: [], ...none, ...parts }
}

function look(parts: Partial<AlertSituation>): readonly Finding[] {
  const { rules } = alertSettingsOf({ to: 'ops' })
  return findAll({ situation: situation(parts), rules, deadlineSecondsOf: () => 10 })
}

describe('what is usual', () => {
  const share = (parts: Pick<SourceSituation, 'weeks' | 'hours'>): number | undefined =>
    usualShare(
      parts,
      ({ copies }) => copies,
      ({ events, copies }) => events + copies,
    )
  const hour = (copies: number, events = 100 - copies): TrafficSums => sums({ copies, events })

  test('is the same hour of the weeks before, if two of them are known', () => {
    expect(share({ weeks: [hour(10), hour(30)], hours: [hour(90), hour(90), hour(90)] })).toBe(0.2)
    expect(share({ weeks: [hour(10)], hours: [hour(50), hour(60), hour(70)] })).toBe(0.6)
  })

  test('is the whole day together for a source that sends little', () => {
    expect(share({ weeks: [], hours: [hour(1, 6), hour(0, 7), hour(1, 5)] })).toBe(0.1)
  })

  test('is nothing while too little is known', () => {
    expect(share({ weeks: [], hours: [] })).toBeUndefined()
    expect(share({ weeks: [], hours: [hour(50), hour(50)] })).toBeUndefined()
    expect(share({ weeks: [], hours: [hour(1, 2), hour(1, 2), hour(1, 2)] })).toBeUndefined()
  })

  test('is a quarter of an hour where it is counted, and hours without any count', () => {
    const forged = ({ forged: count }: TrafficSums): number => count
    expect(usualCount({ weeks: [sums({ forged: 40 }), sums({ forged: 80 })], hours: [] }, forged)).toBe(15)
    expect(usualCount({ weeks: [], hours: [sums({ forged: 40 })] }, forged)).toBe(0)
  })

  test('is the one in the middle', () => {
    expect([median([3, 1, 2]), median([4, 1, 2, 3]), median([])]).toEqual([2, 2.5, 0])
  })
})

describe('a rule', () => {
  const hours = [1, 2, 3].map(() => sums({ events: 90, copies: 10 }))
  const duplicates = (copies: number, open: AlertSituation['open'] = []): readonly Finding[] =>
    look({ sources: [source({ hours, window: sums({ events: 100 - copies, copies }) })], open })

  test('fires above its limit, holds above half of it, and says nothing below', () => {
    expect(duplicates(40)).toMatchObject([{ rule: 'duplicates', level: 'firing', source: 'stripe' }])
    expect(duplicates(25)).toMatchObject([{ rule: 'duplicates', level: 'holding' }])
    expect(duplicates(12)).toEqual([])
  })

  test('compares an open alert with what was usual when it was opened, for a day', () => {
    const open = (openedAt: Date): AlertSituation['open'] => [
      {
        id: '1',
        environment: 'default',
        rule: 'duplicates',
        source: 'stripe',
        openedAt,
        lastSeenAt: at,
        resolvedAt: undefined,
        toldAt: openedAt,
        reminders: 0,
        remindedAt: undefined,
        openingFigures: { usual: 0.01 },
        latestFigures: {},
        acknowledged: undefined,
      },
    ]

    expect(duplicates(20, open(new Date(at.getTime() - 3_600_000)))).toMatchObject([
      { level: 'firing', figures: { usual: 0.01, limit: 0.05 } },
    ])
    expect(duplicates(14, open(new Date(at.getTime() - 25 * 3_600_000)))).toEqual([])
  })

  test('of copies can fire where most deliveries are copies already', () => {
    const many = [1, 2, 3].map(() => sums({ events: 50, copies: 50 }))

    expect(look({ sources: [source({ hours: many, window: sums({ events: 5, copies: 95 }) })] })).toHaveLength(1)
  })

  test('of silence looks at what is missing, or else at the longest silence', () => {
    const quiet = { minutes: 60, lastHeardAt: at, knownDays: 20, heard: 500, usual: [12, 30], longestMinutes: 300 }
    const silence = (parts: Partial<typeof quiet>): number =>
      look({ sources: [source({ silence: { ...quiet, ...parts } })] }).length

    expect(silence({})).toBe(1)
    expect(silence({ usual: [12, 9] })).toBe(0)
    expect(silence({ usual: [] })).toBe(0)
    expect(silence({ usual: [], minutes: 450 })).toBe(1)
    expect(silence({ knownDays: 6.9 })).toBe(0)
    expect(silence({ heard: 19 })).toBe(0)
  })

  test('of upkeep names the tasks that are late, and no other', () => {
    const upkeep = [
      { task: 'prune', lateSeconds: 27 * 3600 },
      { task: 'bodies', lateSeconds: 60 },
    ]

    expect(look({ upkeep })).toMatchObject([{ rule: 'upkeep', source: undefined, figures: { tasks: 'prune' } }])
  })
})
