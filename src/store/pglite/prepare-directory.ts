import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { directoryHoldsOtherFiles } from './pglite-errors.ts'
import { syncDirectory, syncDirectoryAndParents } from './sync-directory.ts'

/** In a database directory from before its first file until its first start has succeeded. */
const unfinishedMark = 'oncehook-unfinished'

/** Where the database lies: under the store's directory, or there itself if PGlite alone made it once. */
function databaseDirectoryOf(directory: string): string {
  return existsSync(join(directory, 'PG_VERSION')) ? directory : join(directory, 'database')
}

/**
 * Brings a store's directory into a state from which Postgres can start, and answers with the database's own directory.
 * The caller holds the lock. A first start that was cut off is begun anew; what was ever finished, or is not ours, is never removed.
 */
export function prepareDirectory(directory: string): string {
  const database = databaseDirectoryOf(directory)
  if (existsSync(join(database, unfinishedMark))) removeUnfinished(database)
  if (existsSync(join(database, 'PG_VERSION'))) {
    removeEmptyPidFile(database)
    return database
  }

  mkdirSync(database, { recursive: true, mode: 0o700 })
  if (readdirSync(database).length > 0) throw directoryHoldsOtherFiles(database)
  writeFileSync(join(database, unfinishedMark), 'The first start was not finished. The next one begins anew.\n', {
    flush: true,
  })
  syncDirectoryAndParents(database)
  return database
}

/** From here on the directory holds a database for good. Nothing may be acknowledged before this returns. */
export function finishDirectory(database: string): void {
  if (!existsSync(join(database, unfinishedMark))) return
  rmSync(join(database, unfinishedMark))
  syncDirectory(database)
}

/** The mark goes last, so that a removal that is cut off is itself begun anew. */
function removeUnfinished(database: string): void {
  for (const name of readdirSync(database)) {
    if (name !== unfinishedMark) rmSync(join(database, name), { recursive: true })
  }
  syncDirectory(database)
  rmSync(join(database, unfinishedMark))
}

/** A power cut can leave this file without its content, and then Postgres refuses to start. */
function removeEmptyPidFile(database: string): void {
  const file = join(database, 'postmaster.pid')
  if (existsSync(file) && /^[\s\0]*$/.test(readFileSync(file, 'utf8'))) rmSync(file)
}
