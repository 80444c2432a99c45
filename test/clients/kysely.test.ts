import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import { Pool } from 'pg'
import { kyselyStore } from '../../src/store/postgres/kysely-store.ts'
import { describeStore } from '../store/describe-store.ts'
import type { StoreUnderTest } from '../store/store-under-test.ts'
import { createTestDatabase } from '../support/database.ts'

async function makeStore(): Promise<StoreUnderTest<Transaction<unknown>>> {
  const database = await createTestDatabase()
  const kysely = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: new Pool({ connectionString: database.url }) }),
  })
  const store = kyselyStore(kysely, { schema: database.schema })
  await store.migrate()
  return {
    store,
    schema: database.schema,
    query: database.query,
    execute: (tx, text) => sql.raw(text).execute(tx),
    dispose: async () => {
      await store.close()
      await kysely.destroy()
      await database.drop()
    },
  }
}

describeStore('the store by way of Kysely', makeStore)
