import { type Knex, knex } from 'knex'
import { knexStore } from '../../src/store/postgres/knex-store.ts'
import { describeStore } from '../store/describe-store.ts'
import type { StoreUnderTest } from '../store/store-under-test.ts'
import { createTestDatabase } from '../support/database.ts'

/** Knex warns of connections that are ended on purpose. */
const log = { warn: () => {}, error: () => {}, deprecate: () => {}, debug: () => {} }

async function makeStore(): Promise<StoreUnderTest<Knex.Transaction>> {
  const database = await createTestDatabase()
  const instance = knex({ client: 'pg', connection: database.url, pool: { min: 0, max: 10 }, log })
  const store = knexStore(instance, { schema: database.schema })
  await store.migrate()
  return {
    store,
    schema: database.schema,
    query: database.query,
    execute: async (tx, text) => await tx.raw(text),
    dispose: async () => {
      await store.close()
      await instance.destroy()
      await database.drop()
    },
  }
}

describeStore('the store by way of Knex', makeStore)
