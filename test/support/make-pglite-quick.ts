import { PGlite } from '@electric-sql/pglite'

/** From here on, databases in memory begin as a copy of a new one that was made before: to make one takes four times as long. */
export function makeQuick(newDatabase: Uint8Array<ArrayBuffer>): void {
  const loadDataDir = new Blob([newDatabase])
  const create = PGlite.create.bind(PGlite) as (options?: object) => Promise<never>
  PGlite.create = (options?: unknown) =>
    isInMemory(options) ? create({ ...options, loadDataDir }) : create(options as object)
}

function isInMemory(options: unknown): options is object {
  return typeof options === 'object' && options !== null && !('fs' in options) && !('dataDir' in options)
}
