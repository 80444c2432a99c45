import { describe, expect, test } from 'vitest'
import type { Alert } from '../index.ts'
import { alertsText, mutesText } from './alert-texts.ts'

const plain = (_: string, text: string): string => text
const now = new Date('2026-01-01T12:00:00')

const open: Alert = {
  id: '12',
  environment: 'default',
  rule: 'deadLetters',
  source: 'stripe',
  openedAt: new Date(now.getTime() - 8 * 60_000),
  lastSeenAt: now,
  resolvedAt: undefined,
  toldAt: undefined,
  reminders: 0,
  remindedAt: undefined,
  openingFigures: { count: 3 },
  latestFigures: { count: 3 },
  acknowledged: { at: now, by: 'ada', why: 'on it' },
  title: 'New dead letters of stripe',
  text: '3 events of stripe failed for good.',
  advice: 'See why.',
}

describe('alerts for people', () => {
  test('say what is wrong, for how long, what to do, and who has taken it up', () => {
    expect(alertsText([open], { now, paint: plain }).split('\n')).toEqual([
      '● New dead letters of stripe  alert 12, deadLetters, for 8 min',
      '  3 events of stripe failed for good.',
      '  See why.',
      '  Acknowledged by ada: on it',
      '  Muted: nobody was told.',
    ])
  })

  test('stand in a table once they are over', () => {
    const over = { ...open, source: undefined, rule: 'lag', resolvedAt: now }

    expect(alertsText([over], { now, paint: plain }).split('\n')).toEqual([
      'ALERT  STATE     RULE  SOURCE  OPENED               LASTED',
      '   12  resolved  lag   all     2026-01-01 11:52:00   8 min',
    ])
  })

  test('can be muted, and say by whom', () => {
    const mute = { rule: 'lag', source: 'stripe', until: now, by: 'ada\u001b', why: 'moving' }

    expect(mutesText([mute], plain)).toBe('Muted\n  lag of stripe until 2026-01-01 12:00:00, by ada\\u{1b}: moving')
  })
})
