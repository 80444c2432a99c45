import { DataSource, type EntityManager } from 'typeorm'
import { typeormStore } from '../../src/store/postgres/typeorm-store.ts'
import { describeStore } from '../store/describe-store.ts'
import type { StoreUnderTest } from '../store/store-under-test.ts'
import { createTestDatabase } from '../support/database.ts'

async function makeStore(): Promise<StoreUnderTest<EntityManager>> {
  const database = await createTestDatabase()
  const dataSource = await new DataSource({
    type: 'postgres',
    url: database.url,
    installExtensions: false,
  }).initialize()
  const store = typeormStore(dataSource, { schema: database.schema })
  await store.migrate()
  return {
    store,
    schema: database.schema,
    query: database.query,
    execute: async (tx, text) => await tx.query(text),
    dispose: async () => {
      await store.close()
      await dataSource.destroy()
      await database.drop()
    },
  }
}

describeStore('the store by way of TypeORM', makeStore)
