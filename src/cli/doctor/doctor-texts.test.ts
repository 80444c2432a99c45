import { describe, expect, test } from 'vitest'
import type { Paint } from '../colour.ts'
import { diagnosisText } from './doctor-texts.ts'
import type { Diagnosis } from './examine.ts'

const plain: Paint = (_, text) => text
const healthy: Diagnosis = {
  store: 'postgres',
  version: '18.4',
  durability: 'T2',
  checks: ['clock', 'durability'],
  findings: [],
  unread: [],
}

describe('a diagnosis', () => {
  test('is one line where nothing is wrong', () => {
    expect(diagnosisText(healthy, plain)).toBe('✓ 2 checks, nothing found. PostgreSQL 18.4, durability T2.')
  })

  test('says what is so, what to do and what to copy, and counts', () => {
    const fact = 'fsync is off: a power cut loses acknowledged events, and can destroy the database.'
    const findings = [
      {
        check: 'durability',
        severity: 'error',
        fact,
        cure: 'Switch it on.',
        sql: ['alter system set fsync = on', 'select pg_reload_conf()'],
      },
      { check: 'clock', severity: 'warning', fact: 'The clocks differ.', cure: 'Set them.' },
    ] as const
    const unread = [{ what: 'leases', reason: 'it may not' }]

    expect(diagnosisText({ ...healthy, findings, unread }, plain).split('\n')).toEqual([
      '✗ durability  fsync is off: a power cut loses acknowledged events, and can destroy the database.',
      '              Switch it on.',
      '              alter system set fsync = on;',
      '              select pg_reload_conf();',
      '! clock       The clocks differ.',
      '              Set them.',
      '',
      '2 checks: 1 error, 1 warning. PostgreSQL 18.4, durability T2.',
      '  Not looked at: leases (it may not).',
    ])
  })
})
