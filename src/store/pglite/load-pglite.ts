import { missingPackage, packageUnfit } from './pglite-errors.ts'
import type { PGlitePackage } from './pglite-types.ts'

/** PGlite, loaded at the first use: who has no embedded store needs not install it. */
export async function loadPglite(): Promise<PGlitePackage> {
  try {
    const [main, nodeFileSystem]: [unknown, unknown] = await Promise.all([
      import('@electric-sql/pglite'),
      import('@electric-sql/pglite/nodefs'),
    ])
    return { ...(main as PGlitePackage), ...(nodeFileSystem as Pick<PGlitePackage, 'NodeFS'>) }
  } catch (cause) {
    throw missingPackage(cause)
  }
}

/** Starts Postgres as PGlite does, except that it asks the file system to sync. */
export function durableStartParameters({ PGlite }: PGlitePackage): string[] {
  if (PGlite.defaultStartParams === undefined) throw packageUnfit('PGlite.defaultStartParams')
  // PGlite starts with -F, which is fsync = off. Emscripten answers fdatasync without doing anything; fsync reaches our file system.
  const others = PGlite.defaultStartParams.filter((parameter) => parameter !== '-F')
  return [...others, '-c', 'fsync=on', '-c', 'wal_sync_method=fsync']
}
