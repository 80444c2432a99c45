import { randomBytes } from 'node:crypto'
import { describe, expect } from 'vitest'
import { createInbox, type Receipt } from '../../src/index.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { emptySchema, type TestDatabase } from '../support/database.ts'
import { test as base } from './command-line.ts'

const test = base.extend<{ readonly database: TestDatabase }>({ database: emptySchema })

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
    const patterns = await commandLine.run(['patterns', 'stripe', ...schema], environment)
    expect(patterns.stdout).toMatch(/^stripe {2}19 copies of 1 event\n[^]*at once {2}█+ 19\n/)
    const [row] = await database.query<{ count: number }>(
      `select count(*)::int as count from "${database.schema}".oncehook_demo_effects`,
    )
    expect(row).toEqual({ count: 1 })
  })

  test('rekey puts what is stored under another key, and bodies are shown to who has it', async ({
    commandLine,
    database,
  }) => {
    const place = placeOf(database)
    const [oldKey, newKey] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
    const source = stripe({ secret: 'whsec_0123456789abcdef' })
    const store = postgresStore(database.pool, { schema: database.schema })
    const encryption = { keys: { 2025: oldKey }, current: '2025' }
    const inbox = createInbox({ store, sources: { stripe: source }, encryption })
    await inbox.receive('stripe', source.sign({ id: 'evt_1' }, new Date()))
    const [{ id } = { id: '' }] = await inbox.receipts.find()

    const keyless = await commandLine.run(['rekey', ...place])
    const wrong = await commandLine.run(['rekey', ...place], { ONCEHOOK_ENCRYPTION_KEYS: `2026=${newKey}` })
    const right = await commandLine.run(['rekey', ...place], {
      ONCEHOOK_ENCRYPTION_KEYS: `2026=${newKey}, 2025=${oldKey}`,
    })
    const hidden = await commandLine.run(['receipts', id, '--body', ...place])
    const shown = await commandLine.run(['receipts', id, '--body', ...place], {
      ONCEHOOK_ENCRYPTION_KEYS: `2026=${newKey}`,
    })

    expect(keyless).toMatchObject({ code: 2, stderr: expect.stringContaining('$ONCEHOOK_ENCRYPTION_KEYS is missing') })
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('1 could not be decrypted') })
    expect(right).toMatchObject({ code: 0, stderr: '' })
    expect(right.stdout).toMatch(/Now under the key "2026".*\n +bodies +1\n +messages +0\n/)
    expect(hidden).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('the key "2026"') })
    expect(JSON.parse(shown.stdout)).toMatchObject({ id: 'evt_1' })
  })

  test('alerts can be looked at, acknowledged and muted', async ({ commandLine, database }) => {
    const place = placeOf(database)
    await postgresStore(database.pool, { schema: database.schema }).migrate()
    await database.query(
      `insert into "${database.schema}".alerts (environment, rule, source, opened_at, last_seen_at, told_at, opening_figures, latest_figures)
       values ('default', 'deadLetters', 'stripe', now(), now(), now(), '{}', '{"count":3}')`,
    )
    const muting = (rule: string): ReturnType<typeof commandLine.run> =>
      commandLine.run(['alerts', 'mute', rule, '--until', '2h', '--why', 'moving', '--by', 'ada', ...place])

    const [acknowledged, refused, muted] = await Promise.all([
      commandLine.run(['alerts', 'acknowledge', '1', '--why', 'on it', '--by', 'ada', ...place]),
      muting('lags'),
      muting('lag'),
    ])
    const alerts = await commandLine.run(['alerts', ...place])

    expect(acknowledged.stdout).toMatch(/^Alert 1 is acknowledged/)
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('rule is "lags"; there are: duplicates') })
    expect(muted.stdout).toMatch(/^Nobody is told until /)
    expect(alerts.stdout).toMatch(/^● New dead letters of stripe {2}alert 1.*\n {2}3 events of stripe failed for good/)
    expect(alerts.stdout).toMatch(/Acknowledged by ada: on it\n\nMuted\n {2}lag until .*, by ada: moving\n$/)
  })

  test('receipts can be held and released, and what is past its days is pruned', async ({ commandLine, database }) => {
    const { schema, query } = database
    const place = placeOf(database)
    await postgresStore(database.pool, { schema }).migrate()
    const unknown = await commandLine.run(['prune', ...place])
    await query(
      `insert into "${schema}".receipts (environment, source, event_id, type, received_at, status, body_hash, body_id)
       select 'default', 'stripe', 'evt_' || number, 'a', now() - interval '70 days', 'processed', '', gen_random_uuid()
       from generate_series(1, 3) as number`,
    )
    await query(
      `insert into "${schema}".retention (environment, source, keep_days, keep_body_days) values ('default', 'stripe', 60, 14)`,
    )
    await query(
      `insert into "${schema}".upkeep (environment, task, next_due_at, place) values ('', 'bodies', now(), '3')`,
    )

    const held = await commandLine.run(['hold', '2', '--why', 'case 17', '--by', 'ada', ...place])
    const tried = await commandLine.run(['prune', '--dry-run', ...place])
    const pruned = await commandLine.run(['prune', ...place])
    const released = await commandLine.run(['release', '--event', 'evt_2', '--why', 'closed', '--json', ...place])

    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing is known of how long') })
    expect(held).toMatchObject({ code: 0, stdout: '1 receipt held.\n' })
    expect(tried.stdout).toMatch(/^stripe +60 days +14 days +2$/m)
    expect(pruned).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Removed:\n {2}receipts +2\n/) })
    expect(JSON.parse(released.stdout)).toEqual({ released: ['2'] })
    expect(await query(`select "by", why, released_why from "${schema}".holds`)).toEqual([
      { by: 'ada', why: 'case 17', released_why: 'closed' },
    ])
    expect(await query(`select event_id from "${schema}".receipts`)).toEqual([{ event_id: 'evt_2' }])
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
  const own = new URL(url)
  own.searchParams.set('options', `-c search_path=${schema}`)
  return own.href
}

async function tablesOf({ query, schema }: TestDatabase): Promise<readonly string[]> {
  const rows = await query<{ name: string }>('select tablename as name from pg_tables where schemaname = $1', [schema])
  return rows.map(({ name }) => name)
}
