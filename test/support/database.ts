import { randomBytes } from 'node:crypto'
import { Client, Pool } from 'pg'
import { test as base, inject } from 'vitest'

/** A test's own corner of the real PostgreSQL: no other test sees its schema, and it is dropped afterwards. */
export type TestDatabase = {
  readonly url: string
  /** Exists already, and is empty. */
  readonly schema: string
  /** For looking at rows, and for stores that are given a pool. Ended after the test. */
  readonly pool: Pool
  readonly query: <Row = Record<string, unknown>>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>
}

export const test = base.extend<{ readonly database: TestDatabase }>({
  database: async ({}, use) => {
    const database = await createTestDatabase()

    await use(database)

    await database.drop()
  },
})

/** The same for those who cannot use the fixture. */
export async function createTestDatabase(): Promise<TestDatabase & { readonly drop: () => Promise<void> }> {
  const url = inject('databaseUrl')
  const schema = `test_${randomBytes(8).toString('hex')}`
  const pool = new Pool({ connectionString: url, max: 5, connectionTimeoutMillis: 10_000 })
  // Tests terminate backends on purpose.
  pool.on('error', () => {})
  const query: TestDatabase['query'] = async <Row>(text: string, values: readonly unknown[] = []) => {
    const result = await pool.query(text, [...values])
    return result.rows as Row[]
  }
  await query(`create schema "${schema}"`)
  const drop = async (): Promise<void> => {
    await pool.end()
    await dropSchema(url, schema)
  }
  return { url, schema, pool, query, drop }
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
