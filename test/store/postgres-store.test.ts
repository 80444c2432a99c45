import { type PgTransaction, postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { createTestDatabase } from '../support/database.ts'
import { describeStore } from './describe-store.ts'
import type { StoreUnderTest } from './store-under-test.ts'

async function makeStore(): Promise<StoreUnderTest<PgTransaction>> {
  const database = await createTestDatabase()
  const store = postgresStore(database.url, { schema: database.schema })
  await store.migrate()
  return {
    store,
    schema: database.schema,
    query: database.query,
    execute: (tx, text) => tx.query(text),
    dispose: async () => {
      await store.close()
      await database.drop()
    },
  }
}

describeStore('the PostgreSQL store', makeStore)
