import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { holdDatabase, type Location } from '../../src/store/pglite/database-holder.ts'
import { createPgliteClient } from '../../src/store/pglite/pglite-client.ts'
import { type PGliteTransaction, pgliteStore } from '../../src/store/pglite/pglite-store.ts'
import { describeStore } from '../store/describe-store.ts'
import type { MakeStore } from '../store/store-under-test.ts'

const directory = mkdtempSync(join(tmpdir(), 'oncehook-conformance-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** One database for all tests, because it takes seconds to start; a schema for each. */
function storesIn(location: Location): MakeStore<PGliteTransaction> {
  const holder = holdDatabase(location)
  const client = createPgliteClient(holder)
  afterAll(client.close)
  return async () => {
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
}

describeStore('PGlite in memory', storesIn({ kind: 'memory' }))
describeStore('PGlite in a directory', storesIn({ kind: 'directory', directory }))
