import { Client } from 'pg'
import { describe, expect } from 'vitest'
import { createMetrics } from '../../src/observe/metrics.ts'
import { handler } from '../../src/targets/handler.ts'
import { emptySchema, type TestDatabase } from '../support/database.ts'
import { stripeDelivery } from '../support/inbox.ts'
import { until } from '../support/until.ts'
import { test } from './open-inbox.ts'
import { samplesOf } from './samples.ts'

const forged = stripeDelivery('evt_forged', 'invoice.paid', undefined, 'whsec_another0123456789abcdef')

/** The database's own counters are those of a table from its first row on. */
const testOnNewTables = test.extend<{ readonly database: TestDatabase }>({ database: emptySchema })

describe('metrics of the database', () => {
  test('show the queue by its states, and for how long the oldest has been due', async ({ makeInbox, database }) => {
    const { schema, query } = database
    const inbox = makeInbox({ mode: 'queued', environment: 'shop' })
    inbox.on('stripe', '*', () => {})
    const metrics = createMetrics(inbox)
    for (const id of ['evt_1', 'evt_2', 'evt_3', 'evt_4', 'evt_5']) await inbox.receive('stripe', stripeDelivery(id))
    await query(`update "${schema}".queue set due_at = now() - interval '90 seconds' where receipt_id % 5 = 1`)
    await query(
      `update "${schema}".queue set attempts = 2, due_at = now() + interval '1 hour' where receipt_id % 5 = 2`,
    )
    const lease = "attempts = 1, fence = 1, leased_by = 'w'"
    await query(`update "${schema}".queue set ${lease}, due_at = now() + interval '1 hour' where receipt_id % 5 = 3`)
    await query(`update "${schema}".queue set environment = 'elsewhere' where receipt_id % 5 = 4`)

    const samples = samplesOf(await metrics.text())

    expect(samples).toMatchObject({
      'oncehook_queue_events{source="stripe",state="waiting"}': 2,
      'oncehook_queue_events{source="stripe",state="retrying"}': 1,
      'oncehook_queue_events{source="stripe",state="running"}': 1,
      oncehook_store_up: 1,
    })
    expect(samples['oncehook_queue_oldest_due_seconds{source="stripe"}']).toBeGreaterThanOrEqual(90)
    expect(samples['oncehook_queue_oldest_due_seconds{source="stripe"}']).toBeLessThan(600)
  })

  test('show zeros where there is nothing', async ({ makeInbox }) => {
    const inbox = makeInbox({ targets: { mail: handler(() => {}) } })

    expect(samplesOf(await createMetrics(inbox).text())).toMatchObject({
      'oncehook_queue_events{source="stripe",state="waiting"}': 0,
      'oncehook_queue_oldest_due_seconds{source="stripe"}': 0,
      'oncehook_dead_letters{source="stripe"}': 0,
      'oncehook_outbox_messages{target="mail",state="failed"}': 0,
      'oncehook_first_attempt_errors_total{source="stripe"}': 0,
    })
  })

  testOnNewTables('show the rows of the ledger, those written and those deleted', async ({ makeInbox, database }) => {
    const { schema, url } = database
    const inbox = makeInbox()
    const metrics = createMetrics(inbox)
    await inbox.migrate()
    // Statistics are handed in when a connection ends.
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query(`
      insert into "${schema}".receipts (environment, source, event_id, type, status, body_hash, body_id)
      select 'default', 'stripe', number::text, 'x', 'processed', '', gen_random_uuid() from generate_series(1, 500) as number`)
    await client.query(`delete from "${schema}".receipts where event_id::int <= 100`)
    await client.end()

    const samples = await until(
      async () => samplesOf(await metrics.text()),
      ({ oncehook_ledger_rows_inserted_total: inserted }) => inserted === 500,
    )

    expect(samples).toMatchObject({ oncehook_ledger_rows: 400, oncehook_ledger_rows_deleted_total: 100 })
  })

  test('show what the ledger grew and shrank by on the last whole day', async ({ makeInbox, database }) => {
    const { schema, query } = database
    const inbox = makeInbox()
    const metrics = createMetrics(inbox)
    await inbox.migrate()
    await query(`
      insert into "${schema}".ledger_days (environment, source, day, added, pruned)
      select 'default', 'stripe', (now() at time zone 'UTC')::date - ago, 100 * ago + 7, 10 * ago + 7
      from generate_series(0, 3) as ago`)

    expect(samplesOf(await metrics.text())).toMatchObject({
      'oncehook_ledger_added_yesterday{source="stripe"}': 107,
      'oncehook_ledger_pruned_yesterday{source="stripe"}': 17,
    })
  })

  test('estimate a backlog that is too long to count', async ({ makeInbox, database }) => {
    const { schema, query } = database
    const inbox = makeInbox()
    const metrics = createMetrics(inbox)
    await inbox.migrate()
    // In one transaction: what another connection inserted may be counted after it was analysed, and so twice.
    await query(`
      insert into "${schema}".queue (receipt_id, environment, source, due_at)
      select number, 'default', 'stripe', now() from generate_series(1, 50000) as number;
      analyze "${schema}".queue`)

    const waiting = await until(
      async () => samplesOf(await metrics.text())['oncehook_queue_events{source="stripe",state="waiting"}'] ?? 0,
      (count) => count > 45_000,
    )

    expect(waiting).toBeLessThan(55_000)
  })
})

describe('a scrape', () => {
  test('gets the figures of the process although the database is away', async ({ makeInbox, database }) => {
    const inbox = makeInbox()
    const metrics = createMetrics(inbox)
    await inbox.migrate()
    await inbox.receive('stripe', forged)
    await database.query(`alter table "${database.schema}".queue rename to hidden`)

    const samples = samplesOf(await metrics.text())

    expect(samples).toMatchObject({
      oncehook_store_up: 0,
      'oncehook_signature_failures_total{source="stripe",reason="signature_mismatch"}': 1,
    })
    expect(samples['oncehook_dead_letters{source="stripe"}']).toBeUndefined()
  })

  test('asks the database once, also if several come at once', async ({ makeInbox }) => {
    const inbox = makeInbox()
    let asked = 0
    const gauges = (): ReturnType<typeof inbox.gauges> => {
      asked += 1
      return inbox.gauges()
    }
    const metrics = createMetrics({ ...inbox, gauges })

    await Promise.all([metrics.text(), metrics.text(), metrics.text('openmetrics')])

    expect(asked).toBe(1)
  })

  test('does not wait for ever for a database that hangs', async ({ makeInbox }) => {
    const metrics = createMetrics({ ...makeInbox(), gauges: () => new Promise(() => {}) }, { timeoutSeconds: 0.01 })

    expect(samplesOf(await metrics.text())).toMatchObject({ oncehook_store_up: 0 })
  })

  test('gets the format that it asks for', async ({ makeInbox }) => {
    const { handler: scrape } = createMetrics(makeInbox())
    const ask = (accept: string, method = 'GET'): Promise<Response> =>
      scrape(new Request('http://localhost/metrics', { method, headers: { accept } }))

    const open = await ask('application/openmetrics-text;version=1.0.0;q=0.6,text/plain;version=0.0.4;q=0.5,*/*;q=0.1')
    const plain = await ask('*/*')
    const post = await ask('*/*', 'POST')

    expect(open.headers.get('content-type')).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8')
    expect((await open.text()).endsWith('# EOF\n')).toBe(true)
    expect(plain.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(await plain.text()).not.toContain('# EOF')
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})
