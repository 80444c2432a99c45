import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { compiledFile } from './compiled.ts'
import { makeQuick } from './make-pglite-quick.ts'
import { onceInRun } from './once-in-run.ts'

/** For this process; see `make-pglite-quick.ts`. */
export async function usePgliteQuickly(): Promise<void> {
  makeQuick(readFileSync(await newDatabase()))
}

/** For programs that are started. */
export async function quickPglite(): Promise<{
  readonly flags: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}> {
  const preload = pathToFileURL(await compiledFile('test/support/quick-pglite-child.ts')).href
  return { flags: ['--import', preload], environment: { PGLITE_NEW_DATABASE: await newDatabase() } }
}

async function newDatabase(): Promise<string> {
  const folder = await onceInRun('pglite-new', async (made) => {
    const database = await PGlite.create()
    const dump = await database.dumpDataDir('none')
    await database.close()
    writeFileSync(join(made, 'data.tar'), Buffer.from(await dump.arrayBuffer()))
  })
  return join(folder, 'data.tar')
}
