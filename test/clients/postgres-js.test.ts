import postgres, { type TransactionSql } from 'postgres'
import { postgresJsStore } from '../../src/store/postgres/postgres-js-store.ts'
import { describeStore } from '../store/describe-store.ts'
import type { StoreUnderTest } from '../store/store-under-test.ts'
import { createTestDatabase } from '../support/database.ts'

async function makeStore(): Promise<StoreUnderTest<TransactionSql>> {
  const database = await createTestDatabase()
  const sql = postgres(database.url, { max: 10, onnotice: () => {} })
  const store = postgresJsStore(sql, { schema: database.schema })
  await store.migrate()
  return {
    store,
    schema: database.schema,
    query: database.query,
    execute: async (tx, text) => await tx.unsafe(text),
    savepoint: (tx, work) => tx.savepoint(work),
    dispose: async () => {
      await store.close()
      await sql.end()
      await database.drop()
    },
  }
}

describeStore('the store by way of postgres.js', makeStore)
