import { sql } from 'drizzle-orm'
import { drizzle as drizzleOverPg, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { drizzle as drizzleOverPostgresJs, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import { Pool } from 'pg'
import postgres from 'postgres'
import { drizzleStore } from '../../src/store/postgres/drizzle-store.ts'
import { describeStore } from '../store/describe-store.ts'
import type { StoreUnderTest } from '../store/store-under-test.ts'
import { createTestDatabase } from '../support/database.ts'

type TransactionOf<Database extends { transaction: unknown }> = Database['transaction'] extends (
  work: (transaction: infer Transaction) => Promise<unknown>,
) => Promise<unknown>
  ? Transaction
  : never

async function makePgStore(): Promise<StoreUnderTest<TransactionOf<NodePgDatabase>>> {
  const database = await createTestDatabase()
  const pool = new Pool({ connectionString: database.url })
  const store = drizzleStore(drizzleOverPg(pool), { schema: database.schema })
  await store.migrate()
  return {
    store,
    schema: database.schema,
    query: database.query,
    execute: async (tx, text) => await tx.execute(sql.raw(text)),
    dispose: async () => {
      await store.close()
      await pool.end()
      await database.drop()
    },
  }
}

async function makePostgresJsStore(): Promise<StoreUnderTest<TransactionOf<PostgresJsDatabase>>> {
  const database = await createTestDatabase()
  const client = postgres(database.url, { onnotice: () => {} })
  const store = drizzleStore(drizzleOverPostgresJs(client), { schema: database.schema })
  await store.migrate()
  return {
    store,
    schema: database.schema,
    query: database.query,
    execute: async (tx, text) => await tx.execute(sql.raw(text)),
    savepoint: (tx, work) => tx.transaction(work),
    dispose: async () => {
      await store.close()
      await client.end()
      await database.drop()
    },
  }
}

describeStore('the store by way of Drizzle over node-postgres', makePgStore)
describeStore('the store by way of Drizzle over postgres.js', makePostgresJsStore)
