import { cpSync, readdirSync } from 'node:fs'
import { pgliteStore } from '../../src/store/pglite/pglite-store.ts'
import { onceInRun } from '../support/once-in-run.ts'
import { describeClient } from './describe-client.ts'
import { open } from './open-pglite.ts'

/** To make a database takes seconds: all begin with a copy of the same one, which is empty. */
const openCopy: typeof open = async (place) => {
  if (readdirSync(place.directory).length === 0) {
    cpSync(await onceInRun('pglite', makeDatabase), place.directory, { recursive: true })
  }
  return open(place)
}

async function makeDatabase(directory: string): Promise<void> {
  const store = pgliteStore(directory)
  await store.migrate()
  await store.close()
}

describeClient('PGlite', { open: openCopy, file: './open-pglite.ts', runsIn: 'process' })
