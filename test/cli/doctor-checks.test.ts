import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, Pool, type PoolClient } from 'pg'
import { afterAll, test as base, beforeAll, describe, expect } from 'vitest'
import { type ExamineOptions, examine } from '../../src/cli/doctor/examine.ts'
import { ledgerOfStore } from '../../src/cli/ledger.ts'
import { createInbox } from '../../src/index.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { expectedIndexes } from '../../src/store/postgres/inspect/expected-indexes.ts'
import { type PgTransaction, postgresStore } from '../../src/store/postgres/postgres-store.ts'
import type { Store } from '../../src/store/store.ts'
import { claimRequest, newReceipt } from '../store/store-under-test.ts'
import { pgBouncerStarter } from '../support/pgbouncer.ts'
import { type PostgresServer, startPostgresServer } from '../support/postgres-server.ts'
import { until } from '../support/until.ts'

let server: PostgresServer
let pool: Pool

/** A server of its own: what is planted here would be found by other tests too. */
beforeAll(async () => {
  server = await startPostgresServer({ settings: { max_prepared_transactions: '5', autovacuum_naptime: '1h' } })
  pool = new Pool({ connectionString: server.url, max: 5 })
  pool.on('error', () => {})
})

afterAll(async () => {
  await pool.end()
  await server.stop()
})

type DiagnoseOptions = Partial<ExamineOptions> & { readonly now?: () => Date }

type Patient = {
  readonly schema: string
  readonly store: Store<PgTransaction>
  readonly query: <Row = Record<string, unknown>>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>
  /** What the doctor says, by check. */
  readonly found: (options?: DiagnoseOptions) => Promise<Readonly<Record<string, readonly string[]>>>
}

/** Tables in a schema of their own, with nothing wrong about them. */
const test = base.extend<{ readonly patient: Patient }>({
  patient: async ({}, use) => {
    const schema = `doctor_${randomBytes(6).toString('hex')}`
    const store = postgresStore(server.url, { schema })
    await store.migrate()
    const query: Patient['query'] = async <Row>(text: string, values: readonly unknown[] = []) =>
      (await pool.query(text, [...values])).rows as Row[]
    await use({ schema, store, query, found: (options) => diagnose(store, options) })
    await store.close()
    await pool.query(`drop schema "${schema}" cascade`)
  },
})

async function diagnose(
  store: Store<PgTransaction>,
  { now, ...options }: DiagnoseOptions = {},
): Promise<Readonly<Record<string, readonly string[]>>> {
  const ledger = {
    ...ledgerOfStore(store, 'test'),
    ...(now && { inspect: () => store.inspect({ environment: 'test', now }) }),
  }
  const given = { program: 'npx oncehook', environment: 'test', secrets: [], redis: undefined, ...options }
  const { findings } = await examine(ledger, given)
  const checks: Record<string, string[]> = {}
  for (const { check, severity, fact, cure, sql } of findings) {
    checks[check] ??= []
    checks[check].push([severity, fact, cure, ...(sql === undefined ? [] : [sql.join('; ')])].join(' | '))
  }
  return checks
}

describe('the doctor', () => {
  test('finds nothing where events come and are processed', async ({ patient }) => {
    const { schema } = patient
    const source = stripe({ secret: 'whsec_0123456789abcdef0123456789abcdef' })
    const store = postgresStore(pool, { schema })
    const inbox = createInbox({ store, sources: { stripe: source }, environment: 'test', mode: 'queued' })
    inbox.on('stripe', '*', async () => {})
    await inbox.start()
    const deliveries = ['evt_1', 'evt_2'].map((id) => source.sign({ id, type: 'a' }, new Date()))
    for (const delivery of [...deliveries, ...deliveries]) await inbox.receive('stripe', delivery)
    await until(
      () => patient.query(`select from "${schema}".queue`),
      ({ length }) => length === 0,
    )

    expect(await patient.found()).toEqual({})
    await inbox.stop()
  })

  test('finds clocks that differ', async ({ patient }) => {
    const now = (): Date => new Date(Date.now() - 60_000)

    const { clock } = await patient.found({ now })

    expect(clock).toEqual([
      expect.stringMatching(/^warning \| The database's clock is (?:59|60)\.\d s ahead of this machine's/),
    ])
  })

  test('finds tables that are not there, old or newer', async ({ patient }) => {
    const { schema, store, query, found } = patient
    const known = (await store.inspect({ environment: 'test' })).migrations.known

    await query(`delete from "${schema}".migrations where version = $1`, [known])
    expect((await found())['migrations']).toEqual([
      expect.stringContaining(
        `error | The tables are at version ${known - 1}; this version of Oncehook needs ${known}.`,
      ),
    ])
    await query(`insert into "${schema}".migrations (version, name, is_breaking) values ($1, 'b', false)`, [known + 1])
    expect((await found())['migrations']).toEqual([
      expect.stringContaining(`warning | The tables are at version ${known + 1}`),
    ])
    await query(`insert into "${schema}".migrations (version, name, is_breaking) values ($1, 'c', true)`, [known + 2])
    expect((await found())['migrations']).toEqual([expect.stringContaining('which cannot work with them')])
    expect(await diagnose(postgresStore(pool, { schema: `${schema}_none` }))).toEqual({
      migrations: [expect.stringContaining(`error | There are no tables in the schema ${schema}_none.`)],
    })
  })

  test('knows every index that the migrations make, and finds those that are missing or broken', async ({
    patient,
  }) => {
    const { schema, query, found } = patient
    const names = await query<{ name: string }>(
      `select indexname as name from pg_indexes join pg_class on oid = ('"' || schemaname || '".' || tablename)::regclass
       where schemaname = $1 and not relispartition`,
      [schema],
    )
    expect(
      expectedIndexes(`"${schema}"`)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(names.map(({ name }) => name).toSorted())

    await query(`alter table "${schema}".receipts drop constraint receipts_event`)
    await query(`drop index "${schema}".queue_due`)
    await query(`update pg_index set indisvalid = false where indexrelid = '"${schema}".outbox_receipt'::regclass`)
    const { indexes = [] } = await found()

    expect(indexes).toEqual([
      expect.stringContaining(
        `alter table "${schema}".receipts add constraint receipts_event unique (environment, source, event_id)`,
      ),
      expect.stringContaining(`create index concurrently queue_due on "${schema}".queue (environment, due_at)`),
      expect.stringContaining(`error | The index outbox_receipt is not valid`),
    ])
    for (const finding of indexes) await cure(finding)
    expect((await found())['indexes']).toBeUndefined()
  })

  test('finds dead rows that nobody removes, and autovacuum that is off', async ({ patient }) => {
    const { schema, query, found } = patient
    await fillQueue(patient, 3000)
    await query(`delete from "${schema}".queue where receipt_id > 100`)
    await query(`alter table "${schema}".outbox set (autovacuum_enabled = off)`)
    const limits = { deadRows: 2000 }

    const { autovacuum } = await until(
      () => found({ limits }),
      (checks) => checks['autovacuum']?.length === 2,
    )

    expect(autovacuum).toEqual([
      expect.stringContaining(`warning | Autovacuum is off for the table outbox`),
      expect.stringMatching(/^warning \| The table queue has 2,900 dead rows, and vacuum has never been there\./),
    ])
    for (const finding of autovacuum ?? []) await cure(finding)
    expect((await found({ limits }))['autovacuum']).toBeUndefined()

    await query('alter system set autovacuum = off')
    await query('select pg_reload_conf()')
    const off = await until(found, (checks) => checks['autovacuum'] !== undefined)
    expect(off['autovacuum']).toEqual([
      expect.stringMatching(/^error \| Autovacuum is off: .*alter system set autovacuum = on/),
    ])
    for (const finding of off['autovacuum'] ?? []) await cure(finding)
    await until(found, (checks) => checks['autovacuum'] === undefined)
  })

  test('finds tables and indexes that are mostly empty space', async ({ patient }) => {
    const { schema, query, found } = patient
    const limits = { wastedBytes: 200_000 }
    await fillQueue(patient, 20_000)
    await query(`vacuum analyze "${schema}".queue`)
    expect((await found({ limits }))['bloat']).toBeUndefined()

    await query(`delete from "${schema}".queue where receipt_id % 50 <> 0`)
    await query(`vacuum analyze "${schema}".queue`)
    const { bloat = [] } = await found({ limits })

    expect(bloat).toEqual([
      expect.stringMatching(/^warning \| The table queue takes [\d.]+ MB, where its rows need about \d+ kB\./),
      expect.stringMatching(/^warning \| The index queue_due takes .*reindex index concurrently/),
      expect.stringMatching(/^warning \| The index queue_pkey takes .*reindex index concurrently/),
    ])
    for (const finding of bloat) await cure(finding)
    expect((await found({ limits }))['bloat']).toBeUndefined()
  })

  test('finds what holds back the clean-up', async ({ patient }) => {
    const { query, found } = patient
    const held = await openTransaction()
    const prepared = await openTransaction()
    await prepared.query("prepare transaction 'forgotten'")
    await query("select pg_create_physical_replication_slot('abandoned', true)")

    const { 'old-snapshots': snapshots } = await found({ limits: { transactionSeconds: 0 } })
    const { 'old-snapshots': usual = [] } = await found()

    expect(snapshots).toEqual([
      expect.stringMatching(
        /^warning \| A transaction of postgres, idle in transaction, has been open for .*\| select pg_terminate_backend\(\d+\)$/,
      ),
      expect.stringMatching(
        /^warning \| The prepared transaction forgotten of postgres .*\| rollback prepared 'forgotten'$/,
      ),
      expect.stringMatching(
        /^warning \| Nobody reads the replication slot abandoned, .*\| select pg_drop_replication_slot\('abandoned'\)$/,
      ),
    ])
    expect(usual).toHaveLength(1)
    for (const finding of snapshots ?? []) await cure(finding)
    held.release(true)
    prepared.release()
    expect((await found({ limits: { transactionSeconds: 0 } }))['old-snapshots']).toBeUndefined()
  })

  test('finds pools that are too small or too many', async ({ patient }) => {
    const app = { poolSize: 10, concurrency: 4, processes: 1 }
    const { connections: small } = await patient.found({ app: { ...app, poolSize: 2 } })
    const { connections: tight } = await patient.found({ app: { ...app, poolSize: 5, concurrency: 8 } })
    const { connections: many } = await patient.found({ app: { ...app, processes: 40 } })

    expect(small).toEqual([expect.stringContaining('warning | A pool of 2 has no connection to spare for listening')])
    expect(tight).toEqual([
      expect.stringContaining('warning | A pool of 5 has room for 3 handlers at once, so a concurrency of 8'),
    ])
    expect(many).toEqual([
      expect.stringMatching(
        /^error \| 40 processes with pools of 10 may ask for 400 connections, where the server takes 197\./,
      ),
    ])
  })

  test('finds events that nobody takes, leases that nobody took over, and dead letters', async ({ patient }) => {
    const { schema, store, query, found } = patient
    await store.recordReceipts([newReceipt({ eventId: 'left' }), newReceipt({ eventId: 'dead' })])
    const claims = await store.claim(claimRequest({ worker: 'web-1:42' }))
    const dead = claims.find(({ eventId }) => eventId === 'dead')
    if (dead !== undefined) await store.deadLetter(dead.lease, { error: 'boom', runs: [] })
    await query(`update "${schema}".queue set due_at = now() - interval '2 hours'`)

    const { leases, workers: none, 'dead-letters': letters } = await found()

    expect(leases).toEqual([
      expect.stringMatching(
        /^error \| 1 event stayed behind with a worker that is gone: the lease of web-1:42 ran out 2 h ago/,
      ),
    ])
    expect(none).toBeUndefined()
    expect(letters).toEqual([
      expect.stringMatching(
        /^warning \| 1 event of stripe failed for good\. \| .*npx oncehook dead --source stripe --environment test/,
      ),
    ])

    await store.recordReceipts([newReceipt({ eventId: 'waiting' })])
    await query(`update "${schema}".queue set due_at = now() - interval '3 minutes' where leased_by is null`)
    const { workers } = await found()
    expect(workers).toEqual([
      expect.stringMatching(
        /^error \| 2 events of stripe are due, the first for 2 h, and no worker listens\. \| Start a worker/,
      ),
    ])
  })

  test('finds days without a partition, and bodies outside of one', async ({ patient }) => {
    const { schema, store, query, found } = patient
    const days = await query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = '"${schema}"'::regnamespace and relname ~ '^bodies_2\\d+$' and relkind = 'r'`,
    )
    for (const { name } of days) await query(`drop table "${schema}".${name}`)
    await store.recordReceipts([newReceipt()])

    const { partitions } = await found()

    expect(partitions).toEqual([
      expect.stringMatching(/^warning \| There is no partition of bodies for \d{4}-\d\d-\d\d and \d{4}-\d\d-\d\d, /),
      expect.stringContaining('warning | bodies_default holds 1 bodies'),
    ])
  })

  test('finds that another environment is meant', async ({ patient }) => {
    await patient.store.recordReceipts([newReceipt({ environment: 'live', disposition: 'ignored' })])

    const { environment } = await patient.found()

    expect(environment).toEqual([
      expect.stringContaining('The ledger has nothing of the environment test; it has live.'),
    ])
  })

  test('finds PgBouncer in transaction mode, and lets session mode pass', async ({ patient }) => {
    const start = await pgBouncerStarter()
    if (start === undefined) return
    const shared = await start({ databaseUrl: server.url, poolMode: 'transaction' })
    const own = await start({ databaseUrl: server.url, poolMode: 'session' })
    const [one, other] = [shared, own].map(({ url }) => postgresStore(url, { schema: patient.schema }))

    const [found, none] = await Promise.all([one, other].map((store) => diagnose(store as Store<PgTransaction>)))

    expect(found).toEqual({
      pooler: [expect.stringContaining('warning | A pooler in transaction mode stands before the server')],
    })
    expect(none).toEqual({})
    await Promise.all([one?.close(), other?.close()])
    await Promise.all([shared.stop(), own.stop()])
  })

  test('finds settings that lose acknowledged events', async ({ patient }) => {
    const names = ['fsync', 'synchronous_commit', 'full_page_writes']
    for (const name of names) await patient.query(`alter system set ${name} = off`)
    await patient.query('select pg_reload_conf()')

    const { durability } = await until(patient.found, (checks) => checks['durability']?.length === 3)

    for (const [index, name] of names.entries()) {
      expect(durability?.[index]).toMatch(
        new RegExp(`^error \\| ${name} is off: .*\\| alter system set ${name} = on; select pg_reload_conf\\(\\)$`),
      )
    }
    for (const finding of durability ?? []) await cure(finding)
    await until(patient.found, (checks) => checks['durability'] === undefined)
  })

  test('finds replicas that follow asynchronously', async ({ patient }) => {
    const replica = new Client({ connectionString: `${server.url}?replication=true` })
    replica.on('error', () => {})
    await replica.connect()
    const { rows } = await replica.query('IDENTIFY_SYSTEM')
    // It streams until the connection ends, and never answers.
    replica.query(`START_REPLICATION PHYSICAL ${rows[0].xlogpos}`).catch(() => {})

    const { durability } = await until(patient.found, (checks) => checks['durability'] !== undefined)

    expect(durability).toEqual([expect.stringContaining('warning | Replicas follow asynchronously')])
    await replica.end()
  })

  test('finds a server that only reads', async ({ patient }) => {
    const store = postgresStore(`${server.url}?options=${encodeURIComponent('-c default_transaction_read_only=on')}`, {
      schema: patient.schema,
    })

    const { writable } = await diagnose(store)

    expect(writable).toEqual([expect.stringContaining('error | Transactions are read-only here')])
    await store.close()
  })

  base('finds a standby', async () => {
    const primary = postgresStore(server.url)
    await primary.migrate()
    await primary.close()
    writeFileSync(join(server.folder, 'standby.signal'), '')
    await server.restart()
    const standby = postgresStore(server.url)

    const found = await diagnose(standby)

    expect(found).toEqual({ writable: [expect.stringContaining('error | This server is a standby')] })
    await standby.close()
  })
})

/** Does what a finding says. */
async function cure(finding: string): Promise<void> {
  for (const statement of finding.split(' | ').at(-1)?.split('; ') ?? []) await pool.query(statement)
}

async function openTransaction(): Promise<PoolClient> {
  const client = await pool.connect()
  // It is terminated on purpose.
  client.on('error', () => {})
  await client.query('begin')
  await client.query('select txid_current()')
  return client
}

async function fillQueue({ query, schema }: Patient, count: number): Promise<void> {
  await query(
    `insert into "${schema}".queue (receipt_id, environment, source, due_at)
     select number, 'other', 'stripe', now() + number * interval '1 minute' from generate_series(1, $1::int) as number`,
    [count],
  )
}
