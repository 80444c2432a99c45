import { randomUUID } from 'node:crypto'
import { afterAll, describe } from 'vitest'
import { holdDatabase } from '../../src/store/pglite/database-holder.ts'
import { createPgliteClient } from '../../src/store/pglite/pglite-client.ts'
import { type PGliteTransaction, pgliteStore } from '../../src/store/pglite/pglite-store.ts'
import type { StoreUnderTest } from '../store/store-under-test.ts'
import { describeEncryption } from './describe-encryption.ts'
import { describeRedaction } from './describe-redaction.ts'
import { describeRekey } from './describe-rekey.ts'

const holder = holdDatabase({ kind: 'memory' })
const client = createPgliteClient(holder)
afterAll(client.close)

/** One database for all tests, because it takes seconds to start; a schema for each. */
async function makeStore(): Promise<StoreUnderTest<PGliteTransaction>> {
  const schema = `test_${randomUUID().replaceAll('-', '')}`
  const { instance } = await holder.open()
  const store = pgliteStore(instance, { schema })
  await store.migrate()
  return {
    store,
    schema,
    query: client.query,
    execute: (tx, text) => tx.query(text),
    dispose: async () => void (await client.database().exec(`drop schema if exists "${schema}" cascade`)),
  }
}

describe('on PGlite', () => {
  describeRedaction(makeStore)
  describeEncryption(makeStore)
  describeRekey(makeStore)
})
