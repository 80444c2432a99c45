import { randomBytes } from 'node:crypto'
import { Client, Pool } from 'pg'
import { test as base, inject } from 'vitest'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { createSchemaShelf, type SchemaShelf } from './schema-shelf.ts'
import { sharedShelf } from './shared-shelf.ts'
import { until } from './until.ts'

/** A test's own corner of the real PostgreSQL: no other test sees its schema while it has it. */
export type TestDatabase = {
  /** Connections made with it bear the schema's name, unless they are given another. */
  readonly url: string
  readonly schema: string
  /** For looking at rows, and for stores that are given a pool. Ended after the test. */
  readonly pool: Pool
  readonly query: <Row = Record<string, unknown>>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>
}

type OwnDatabase = TestDatabase & { readonly drop: () => Promise<void> }

let shelf: SchemaShelf | undefined

/** All tables are made already, and empty. */
export const test = base.extend<{ readonly database: TestDatabase }>({
  database: async ({}, use) => {
    const database = await borrowTestDatabase()

    await use(database)

    await database.drop()
  },
})

type DatabaseFixture = (context: object, use: (database: TestDatabase) => Promise<void>) => Promise<void>

/** Instead of the fixture `database` for those who make the tables themselves, or do something to them: the schema is empty. */
export const emptySchema: DatabaseFixture = async ({}, use) => {
  const database = await createTestDatabase()

  await use(database)

  await database.drop()
}

export const testOnEmptySchema: typeof test = base.extend<{ readonly database: TestDatabase }>({
  database: emptySchema,
})

/** The same as the fixture of `test` for those who cannot use it. */
export async function borrowTestDatabase(): Promise<OwnDatabase> {
  const url = inject('databaseUrl')
  const { pool, query } = openPool(url)
  shelf ??= openShelf(url)
  const { take, giveBack, drop: discard } = shelf
  const schema = await take()
  const drop = async (): Promise<void> => {
    // Whoever is still there, such as the backend of a process that was killed, must not write into the next test's tables.
    const isAlone = await isAloneSoon(query, schema)
    await pool.end()
    await (isAlone ? giveBack(schema) : discard(schema))
  }
  return { url: urlFor(url, schema), schema, pool, query, drop }
}

/** The same as the fixture of `testOnEmptySchema`. */
export async function createTestDatabase(): Promise<OwnDatabase> {
  const url = inject('databaseUrl')
  const schema = `test_${randomBytes(8).toString('hex')}`
  const { pool, query } = openPool(url)
  await query(`create schema "${schema}"`)
  const drop = async (): Promise<void> => {
    await pool.end()
    await dropSchema(url, schema)
  }
  return { url: urlFor(url, schema), schema, pool, query, drop }
}

function openShelf(url: string): SchemaShelf {
  // A transaction that a test left open must not hang the run.
  const { query } = openPool(url, '-c lock_timeout=10s -c client_min_messages=warning')
  return createSchemaShelf({
    query,
    migrate: (schema) => migrateSchema(url, schema),
    free: sharedShelf(query, inject('shelf')),
  })
}

function urlFor(url: string, schema: string): string {
  const named = new URL(url)
  named.searchParams.set('application_name', schema)
  return named.href
}

/** Connections that were closed are gone within moments; a pool that a test forgot to end stays. */
async function isAloneSoon(query: TestDatabase['query'], schema: string): Promise<boolean> {
  const others = (): Promise<readonly unknown[]> =>
    query('select pid from pg_stat_activity where application_name = $1', [schema])
  return until(others, ({ length }) => length === 0, 2).then(
    () => true,
    () => false,
  )
}

function openPool(url: string, options = ''): Pick<TestDatabase, 'pool' | 'query'> {
  const limits = { max: 5, connectionTimeoutMillis: 10_000, allowExitOnIdle: true }
  const pool = new Pool({ connectionString: url, ...limits, options })
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
