import { describe } from 'vitest'
import type { PgTransaction } from '../../src/store/postgres/postgres-store.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import type { StoreUnderTest } from '../store/store-under-test.ts'
import { borrowTestDatabase } from '../support/database.ts'
import { describeEncryption } from './describe-encryption.ts'
import { describeRedaction } from './describe-redaction.ts'
import { describeRekey } from './describe-rekey.ts'

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

describe('on PostgreSQL', () => {
  describeRedaction(makeStore)
  describeEncryption(makeStore)
  describeRekey(makeStore)
})
