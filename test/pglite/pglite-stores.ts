import { afterAll } from 'vitest'
import { holdDatabase, type Location } from '../../src/store/pglite/database-holder.ts'
import { createPgliteClient } from '../../src/store/pglite/pglite-client.ts'
import { type PGliteTransaction, pgliteStore } from '../../src/store/pglite/pglite-store.ts'
import type { MakeStore } from '../store/store-under-test.ts'
import { usePgliteQuickly } from '../support/quick-pglite.ts'
import { createSchemaShelf } from '../support/schema-shelf.ts'

await usePgliteQuickly()

/** One database for all tests of a file, because it takes seconds to start; a schema for each. */
export function pgliteStores(location: Location): MakeStore<PGliteTransaction> {
  const holder = holdDatabase(location)
  const client = createPgliteClient(holder)
  const { take, giveBack } = createSchemaShelf({
    query: client.query,
    migrate: async (schema) => void (await pgliteStore((await holder.open()).instance, { schema }).migrate()),
  })
  afterAll(client.close)
  return async () => {
    const { instance } = await holder.open()
    const schema = await take()
    return {
      store: pgliteStore(instance, { schema }),
      schema,
      query: client.query,
      execute: (tx, text) => tx.query(text),
      dispose: () => giveBack(schema),
    }
  }
}
