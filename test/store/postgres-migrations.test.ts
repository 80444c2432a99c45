import { Pool } from 'pg'
import { describe, expect } from 'vitest'
import { migrationSql } from '../../src/store/postgres/migrate.ts'
import { allMigrations } from '../../src/store/postgres/migrations/all-migrations.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { testOnEmptySchema } from '../support/database.ts'
import { count, test } from './postgres-stores.ts'
import { codeOf } from './store-under-test.ts'

const newest = Math.max(...allMigrations.map(({ version }) => version))
const earlier = allMigrations.slice(0, -1).map(({ version }) => version)

describe('migrating', () => {
  testOnEmptySchema.for(earlier)(
    'brings tables of version %i with data in them to the newest',
    async (version, { database }) => {
      const { pool, query, schema } = database
      await pool.query(
        migrationSql(
          `"${schema}"`,
          allMigrations.filter((one) => one.version <= version),
        ),
      )
      await query(
        `insert into "${schema}".receipts (environment, source, event_id, type, status, body_hash, body_id)
       values ('default', 'stripe', 'evt_old', 'a', 'received', '', gen_random_uuid()), ('default', 'stripe', 'evt_done', 'a', 'processed', '', gen_random_uuid())`,
      )
      await query(
        `insert into "${schema}".queue (receipt_id, environment, source, due_at)
       select id, environment, source, now() from "${schema}".receipts where event_id = 'evt_old'`,
      )
      await query(
        `insert into "${schema}".completions (receipt_id, handler) select receipt_id, 'first' from "${schema}".queue`,
      )
      const store = postgresStore(pool, { schema })

      expect(await store.migrate()).toEqual({ from: version, to: newest })
      const [claim] = await store.claim({
        environment: 'default',
        sources: ['stripe'],
        worker: 'w',
        limit: 5,
        leaseSeconds: 30,
      })
      const run = {
        attempt: 1,
        handler: 'second',
        worker: 'w',
        outcome: 'succeeded',
        error: undefined,
        tookMilliseconds: 1,
      } as const
      const isDone = await store.transaction(async ({ completeReceipt }) =>
        completeReceipt(claim?.lease ?? never(), run),
      )

      expect(claim).toMatchObject({ eventId: 'evt_old', completedHandlers: ['first'] })
      expect(isDone).toBe(true)
      expect((await store.findReceipts('default', {})).map(({ eventId, status }) => [eventId, status])).toEqual([
        ['evt_done', 'processed'],
        ['evt_old', 'processed'],
      ])
    },
  )

  testOnEmptySchema('is done once when ten stores with pools of their own start together', async ({ database }) => {
    const pools = Array.from({ length: 10 }, () => new Pool({ connectionString: database.url, max: 1 }))

    const reports = await Promise.all(pools.map((pool) => postgresStore(pool, { schema: database.schema }).migrate()))

    expect(reports.filter(({ from }) => from === 0)).toHaveLength(1)
    expect(await count(database, 'migrations')).toBe(allMigrations.length)
    await Promise.all(pools.map((pool) => pool.end()))
  })

  test('creates a schema that does not exist yet, and again as text', async ({ database }) => {
    const schema = `${database.schema}_new`
    const store = postgresStore(database.pool, { schema })

    expect(await store.migrate()).toEqual({ from: 0, to: newest })
    await database.query(`drop schema "${schema}" cascade`)
    await database.pool.query(store.migrationSql())

    expect(await store.migrate()).toEqual({ from: newest, to: newest })
    await database.query(`drop schema "${schema}" cascade`)
  })

  test('goes on with tables that are newer, unless they say that they break older code', async ({
    database,
    stores,
  }) => {
    const [store] = await stores(1)
    const insert = `insert into "${database.schema}".migrations (version, name, is_breaking) values ($1, 'later', $2)`

    await database.query(insert, [newest + 1, false])
    expect(await store?.migrate()).toEqual({ from: newest + 1, to: newest + 1 })
    await database.query(insert, [newest + 2, true])

    expect(await codeOf(store?.migrate() ?? Promise.resolve())).toBe('ONCEHOOK_SCHEMA_NEWER')
  })
})

function never(): never {
  throw new Error('There was nothing to claim.')
}
