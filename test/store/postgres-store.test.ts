import { type PgTransaction, postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { borrowTestDatabase } from '../support/database.ts'
import { describeHousekeeping } from './describe-housekeeping.ts'
import { describeStore } from './describe-store.ts'
import type { StoreUnderTest } from './store-under-test.ts'

async function makeStore(): Promise<StoreUnderTest<PgTransaction>> {
  const database = await borrowTestDatabase()
  const store = postgresStore(database.url, { schema: database.schema })
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
describeHousekeeping('the PostgreSQL store', makeStore)
