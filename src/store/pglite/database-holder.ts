import { mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { type DirectoryLock, takeDirectoryLock } from './directory-lock.ts'
import { type OpenDatabase, openForeign, openInDirectory, openInMemory } from './open-database.ts'
import type { DatabaseHolder } from './pglite-client.ts'
import { storeClosed } from './pglite-errors.ts'
import type { PGliteInstance } from './pglite-types.ts'

/** Where a store's database is. */
export type Location =
  | { readonly kind: 'memory' }
  | { readonly kind: 'directory'; readonly directory: string }
  | { readonly kind: 'instance'; readonly instance: PGliteInstance }

/** Opens at the first use, once for all who ask; again after a failed opening or after the database died. */
export function holdDatabase(location: Location): DatabaseHolder {
  let lock: DirectoryLock | undefined
  let opening: Promise<OpenDatabase> | undefined
  let closing: Promise<void> | undefined

  async function start(): Promise<OpenDatabase> {
    switch (location.kind) {
      case 'memory':
        return await openInMemory()
      case 'instance':
        return await openForeign(location.instance)
      case 'directory': {
        mkdirSync(location.directory, { recursive: true })
        // One directory has one lock, whatever links lead to it.
        const directory = realpathSync(location.directory)
        lock ??= takeDirectoryLock({ folder: join(directory, 'oncehook-lock'), subject: directory })
        return await openInDirectory(directory)
      }
    }
  }

  function releaseLock(): void {
    lock?.release()
    lock = undefined
  }

  async function shut(): Promise<void> {
    const database = await opening?.catch(() => undefined)
    try {
      await database?.close()
    } finally {
      releaseLock()
    }
  }

  return {
    open: async () => {
      if (closing !== undefined) throw storeClosed()
      opening ??= start().catch((error: unknown) => {
        opening = undefined
        releaseLock()
        throw error
      })
      return await opening
    },
    drop: (database) => {
      // An empty database must not pass for one that forgot what it acknowledged.
      if (location.kind !== 'directory') return
      // The lock stays ours. Several callers may report the same death.
      void opening?.then((current) => {
        if (current !== database) return
        opening = undefined
        database.abandon()
      })
    },
    close: () => (closing ??= shut()),
  }
}
