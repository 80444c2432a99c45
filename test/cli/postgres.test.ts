import { describe, expect } from 'vitest'
import type { Receipt } from '../../src/index.ts'
import type { TestDatabase } from '../support/database.ts'
import { test } from './command-line.ts'

describe('on a PostgreSQL of one’s own', () => {
  test('looking changes nothing: without tables it says what to run', async ({ commandLine, database }) => {
    const { code, stdout, stderr } = await commandLine.run(['receipts', ...placeOf(database)])

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('npx oncehook migrate')
    expect(await tablesOf(database)).toEqual([])
  })

  test('migrate makes the tables, once', async ({ commandLine, database }) => {
    const first = await commandLine.run(['migrate', ...placeOf(database)])
    const second = await commandLine.run(['migrate', ...placeOf(database)])

    expect(first.stdout).toMatch(/^Migrated from version 0 to \d+\.\n$/)
    expect(second.stdout).toMatch(/^The tables are at version \d+ already\.\n$/)
    expect(await tablesOf(database)).toContain('receipts')
  })

  test('copies take effect once, no demo event is sent, and commands look at the database themselves', async ({
    commandLine,
    database,
  }) => {
    const environment = { DATABASE_URL: urlOf(database) }
    const schema = ['--schema', database.schema]
    const receiver = commandLine.start(['start', '--port', '0', ...schema], environment)
    const shown = await receiver.until(/Waiting for webhooks/)

    const sent = await commandLine.run(['send', 'stripe', '--id', 'evt_1', '--times', '20', '--parallel'], environment)
    receiver.kill('SIGTERM')
    const ended = await receiver.ended

    expect(shown).toMatch(/Store +PostgreSQL\n/)
    expect(shown).not.toContain(new URL(database.url).password || 'no password')
    expect(sent.stdout).toMatch(/1 accepted, 19 duplicate → 1 effect\n$/)
    expect(ended.code).toBe(0)
    const receipts = await commandLine.run(['receipts', '--json', ...schema], environment)
    expect(JSON.parse(receipts.stdout) as readonly Receipt[]).toMatchObject([{ eventId: 'evt_1', status: 'processed' }])
    const [row] = await database.query<{ count: number }>(
      `select count(*)::int as count from "${database.schema}".oncehook_demo_effects`,
    )
    expect(row).toEqual({ count: 1 })
  })

  test('a server that does not answer is one sentence without the password', async ({ commandLine }) => {
    const { code, stdout, stderr } = await commandLine.run([
      'receipts',
      '--database',
      'postgres://ada:hush@127.0.0.1:1/app',
    ])

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^oncehook: \S.*\n$/)
    expect(stderr).not.toContain('hush')
  })
})

function placeOf(database: TestDatabase): readonly string[] {
  return ['--database', urlOf(database), '--schema', database.schema]
}

/** Handlers write into the test's own schema as well. */
function urlOf({ url, schema }: TestDatabase): string {
  return `${url}?options=${encodeURIComponent(`-c search_path=${schema}`)}`
}

async function tablesOf({ query, schema }: TestDatabase): Promise<readonly string[]> {
  const rows = await query<{ name: string }>('select tablename as name from pg_tables where schemaname = $1', [schema])
  return rows.map(({ name }) => name)
}
