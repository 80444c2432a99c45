import { cpSync } from 'node:fs'
import { pgliteStore } from '../../src/store/pglite/pglite-store.ts'
import { onceInRun } from '../support/once-in-run.ts'

/** A store's directory, migrated and without receipts: to make one takes seconds, so all that do not test that begin with a copy. */
export async function copyMadeDirectory(target: string): Promise<void> {
  cpSync(await onceInRun('pglite', makeDirectory), target, { recursive: true })
}

async function makeDirectory(directory: string): Promise<void> {
  const store = pgliteStore(directory)
  await store.migrate()
  await store.close()
}
