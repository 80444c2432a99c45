import { Pool, type PoolConfig } from 'pg'
import { describe, expect } from 'vitest'
import { createInbox } from '../../src/index.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { test as base, borrowTestDatabase, type TestDatabase } from '../support/database.ts'
import { pgBouncerStarter } from '../support/pgbouncer.ts'

const startPgBouncer = await pgBouncerStarter()
const source = stripe({ secret: 'whsec_0123456789abcdef0123456789abcdef' })
const deliveryOf = (id: string) => source.sign({ id, type: 'invoice.paid' }, new Date())
const ids = (count: number, prefix: string): readonly string[] =>
  Array.from({ length: count }, (_, number) => `${prefix}_${number}`)

const test = base.extend<{ readonly tables: TestDatabase }>({
  tables: async ({}, use) => {
    const database = await borrowTestDatabase()
    await database.query(`create table if not exists ${database.schema}.rows_left (event_id text not null)`)
    await use(database)
    await database.query(`drop table ${database.schema}.rows_left`)
    await database.drop()
  },
})

/** Inline and queued events, each of which leaves a row, by way of this pool. */
async function takeEvents(
  { schema, query }: TestDatabase,
  options: PoolConfig,
  between: (pool: Pool) => Promise<unknown> = async () => {},
): Promise<object> {
  const pool = new Pool({ max: 4, ...options })
  const store = postgresStore(pool, { schema })
  const inbox = createInbox({ store, sources: { inline: source, queued: source }, migrations: 'manual' })
  for (const mode of ['inline', 'queued'] as const) {
    inbox.on(mode, '*', (event, { tx }) => tx.query(`insert into ${schema}.rows_left values ($1)`, [event.id]), {
      mode,
    })
  }
  const outcomes = new Map<string, number>()
  try {
    for (const round of [1, 2, 3]) {
      const sent = ids(8, `evt_${round}`).map(deliveryOf)
      // Each of them twice, all at once.
      const taken = await Promise.all(
        (['inline', 'queued'] as const).flatMap((name) => [...sent, ...sent].map((one) => inbox.receive(name, one))),
      )
      for (const { kind } of taken) outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1)
      await inbox.drain()
      await between(pool)
    }
    return {
      outcomes: Object.fromEntries(outcomes),
      receipts: await query(`select source, status, count(*)::int from ${schema}.receipts group by 1, 2 order by 1`),
      effects: await query(`select count(*)::int, count(distinct event_id)::int as distinct from ${schema}.rows_left`),
    }
  } finally {
    await inbox.close()
    await pool.end()
  }
}

const allOnce = {
  outcomes: { processed: 24, accepted: 24, duplicate: 48 },
  receipts: [
    { source: 'inline', status: 'processed', count: 24 },
    { source: 'queued', status: 'processed', count: 24 },
  ],
  effects: [{ count: 48, distinct: 24 }],
}

describe('calls that the server keeps parsed', () => {
  test('are kept on a connection of its own, and each is parsed once', async ({ tables }) => {
    let kept: readonly { readonly name: string; readonly calls: number }[] = []

    const taken = await takeEvents(tables, { connectionString: tables.url, max: 3 }, async (pool) => {
      const { rows } = await pool.query<{ name: string; calls: number }>(
        'select name, (generic_plans + custom_plans)::int as calls from pg_prepared_statements where name like $1',
        ['oncehook_%'],
      )
      kept = rows
    })

    expect(taken).toEqual(allOnce)
    expect(kept.length).toBeGreaterThan(0)
    expect(kept.every(({ name }) => name.endsWith('_0'))).toBe(true)
  })

  test('are parsed again when somebody discards them', async ({ tables }) => {
    const taken = await takeEvents(tables, { connectionString: tables.url, max: 3 }, (pool) =>
      Promise.all([1, 2, 3].map(() => pool.query('discard all'))),
    )

    expect(taken).toEqual(allOnce)
  })

  test('go one by one where the client sends ahead', async ({ tables }) => {
    const taken = await takeEvents(tables, { connectionString: tables.url, pipeline: true })

    expect(taken).toEqual(allOnce)
  })

  test.skipIf(startPgBouncer === undefined)('are sent whole behind a pooler of transactions', async ({ tables }) => {
    if (startPgBouncer === undefined) return
    const pooler = await startPgBouncer({ databaseUrl: tables.url, poolMode: 'transaction' })
    try {
      const taken = await takeEvents(tables, { connectionString: pooler.url })
      const kept = await tables.query("select name from pg_prepared_statements where name like 'oncehook_%'")

      expect(taken).toEqual(allOnce)
      expect(kept).toEqual([])
    } finally {
      await pooler.kill()
    }
  })
})
