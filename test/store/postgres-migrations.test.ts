import { Pool } from 'pg'
import { describe, expect } from 'vitest'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { count, test } from './postgres-stores.ts'
import { codeOf } from './store-under-test.ts'

describe('migrating', () => {
  test('is done once when ten stores with pools of their own start together', async ({ database }) => {
    const pools = Array.from({ length: 10 }, () => new Pool({ connectionString: database.url, max: 1 }))

    const reports = await Promise.all(pools.map((pool) => postgresStore(pool, { schema: database.schema }).migrate()))

    expect(reports.filter(({ from }) => from === 0)).toHaveLength(1)
    expect(await count(database, 'migrations')).toBe(1)
    await Promise.all(pools.map((pool) => pool.end()))
  })

  test('creates a schema that does not exist yet, and again as text', async ({ database }) => {
    const schema = `${database.schema}_new`
    const store = postgresStore(database.pool, { schema })

    expect(await store.migrate()).toEqual({ from: 0, to: 1 })
    await database.query(`drop schema "${schema}" cascade`)
    await database.pool.query(store.migrationSql())

    expect(await store.migrate()).toEqual({ from: 1, to: 1 })
    await database.query(`drop schema "${schema}" cascade`)
  })

  test('goes on with tables that are newer, unless they say that they break older code', async ({
    database,
    stores,
  }) => {
    const [store] = await stores(1)
    const insert = `insert into "${database.schema}".migrations (version, name, is_breaking) values ($1, 'later', $2)`

    await database.query(insert, [2, false])
    expect(await store?.migrate()).toEqual({ from: 2, to: 2 })
    await database.query(insert, [3, true])

    expect(await codeOf(store?.migrate() ?? Promise.resolve())).toBe('ONCEHOOK_SCHEMA_NEWER')
  })
})
