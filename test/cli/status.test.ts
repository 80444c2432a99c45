import { describe, expect } from 'vitest'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { plantReceipts } from '../store/describe-health.ts'
import { test } from './command-line.ts'

describe('status', () => {
  test('is a glance for people, and the same for machines', async ({ commandLine, database }) => {
    const place = ['--database', database.url, '--schema', database.schema, '--environment', 'test']
    await postgresStore(database.pool, { schema: database.schema }).migrate()
    await plantReceipts(database, { source: 'stripe', count: 30, from: '6 days', to: '2 days', deliveries: 2 })
    await plantReceipts(database, { source: 'stripe', count: 12, from: '50 minutes', to: '1 minute' })

    const [text, document] = await Promise.all([
      commandLine.run(['status', ...place]),
      commandLine.json(['status', ...place]),
    ])

    expect(text).toMatchObject({ code: 0, stderr: '' })
    expect(text.stdout).toMatch(/^test, last 1 h /)
    expect(text.stdout).toMatch(/\nstripe +12 +0 % +0 % +50 % +0 +- +0\n$/)
    expect(document).toMatchObject({
      firstAttemptErrorRate: 0,
      usualDuplicateRate: 0.5,
      ledger: { rows: 42, addedLastDay: 12, isEstimate: false },
    })
  })

  test('is drawn anew until Ctrl+C', async ({ commandLine, database }) => {
    await postgresStore(database.pool, { schema: database.schema }).migrate()
    const words = ['--database', database.url, '--schema', database.schema, '--environment', 'test', '--json']
    const watching = commandLine.start(['status', '--watch', '--every', '1', ...words])
    await watching.until(/"sources":\[\]/)
    await plantReceipts(database, { source: 'stripe', count: 7, from: '5 minutes', to: '1 minute' })

    const shown = await watching.until(/"received":7/)
    watching.kill('SIGINT')

    expect(await watching.ended).toMatchObject({ code: 0, stderr: '' })
    expect(shown.trim().split('\n').length).toBeGreaterThan(1)
  })
})
