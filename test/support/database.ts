import { randomBytes } from 'node:crypto'
import { Client, Pool } from 'pg'
import { afterAll, test as base, inject } from 'vitest'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { createSchemaShelf, type SchemaShelf } from './schema-shelf.ts'

/** A test's own corner of the real PostgreSQL: no other test sees its schema, and it is dropped afterwards. */
export type TestDatabase = {
  readonly url: string
  /** Exists already, and is empty. */
  readonly schema: string
  /** For looking at rows, and for stores that are given a pool. Ended after the test. */
  readonly pool: Pool
  readonly query: <Row = Record<string, unknown>>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>
}

let shelf: SchemaShelf | undefined
afterAll(() => shelf?.clear())

export const test = base.extend<{ readonly database: TestDatabase }>({
  database: async ({}, use) => {
    const database = await createTestDatabase()

    await use(database)

    await database.drop()
  },
})

/** The same with all tables made, for those who do nothing to their definitions. */
export async function borrowTestDatabase(): Promise<TestDatabase & { readonly drop: () => Promise<void> }> {
  const url = inject('databaseUrl')
  const { pool, query } = openPool(url)
  shelf ??= createSchemaShelf({ query: openPool(url).query, migrate: (schema) => migrateSchema(url, schema) })
  const { take, giveBack } = shelf
  const schema = await take()
  const drop = async (): Promise<void> => {
    await pool.end()
    await giveBack(schema)
  }
  return { url, schema, pool, query, drop }
}

/** The same as the fixture for those who cannot use it. */
export async function createTestDatabase(): Promise<TestDatabase & { readonly drop: () => Promise<void> }> {
  const url = inject('databaseUrl')
  const schema = `test_${randomBytes(8).toString('hex')}`
  const { pool, query } = openPool(url)
  await query(`create schema "${schema}"`)
  const drop = async (): Promise<void> => {
    await pool.end()
    await dropSchema(url, schema)
  }
  return { url, schema, pool, query, drop }
}

function openPool(url: string): Pick<TestDatabase, 'pool' | 'query'> {
  const pool = new Pool({ connectionString: url, max: 5, connectionTimeoutMillis: 10_000, allowExitOnIdle: true })
  // Tests terminate backends on purpose.
  pool.on('error', () => {})
  const query: TestDatabase['query'] = async <Row>(text: string, values: readonly unknown[] = []) => {
    const result = await pool.query(text, [...values])
    return result.rows as Row[]
  }
  return { pool, query }
}

async function migrateSchema(url: string, schema: string): Promise<void> {
  const store = postgresStore(url, { schema })
  await store.migrate()
  await store.close()
}

async function dropSchema(url: string, schema: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    // A transaction that the test left open must not hang the run.
    await client.query("set lock_timeout = '10s'; set client_min_messages = warning")
    await client.query(`drop schema if exists "${schema}" cascade`)
  } finally {
    await client.end()
  }
}
