import { freeBytes, minimumFreeBytes } from './free-space.ts'
import { durableStartParameters, loadPglite } from './load-pglite.ts'
import { databaseFailed, packageUnfit, spaceTooLow } from './pglite-errors.ts'
import type { PGliteInstance, PGliteOptions, PGlitePackage } from './pglite-types.ts'
import { finishDirectory, prepareDirectory } from './prepare-directory.ts'
import { createSyncingFileSystem } from './syncing-file-system.ts'

/** A database that is open, and what its client has to know of it. */
export type OpenDatabase = {
  readonly instance: PGliteInstance
  /** Throws if writing would be unwise. */
  readonly assertSpace: () => void
  /** The reason why this database is dead, or undefined. */
  readonly failure: () => string | undefined
  /** To be asked after each use. True once for each stretch of work after which the database has to be tidied up. */
  readonly isUpkeepDue: () => boolean
  /** Lets go of a dead database without a word to it: it would not answer. */
  readonly abandon: () => void
  readonly close: () => Promise<void>
}

/** Postgres in one process alone neither checkpoints nor vacuums by itself, so its log would grow until the disk is full. */
const logBytesBetweenCheckpoints = 64 * 1024 * 1024

/** Nobody counts what is written to memory, so it is counted how often. */
const writesBetweenCheckpoints = 20_000

/** A database that is gone when the process ends. */
export async function openInMemory(): Promise<OpenDatabase> {
  const { PGlite } = await loadPglite()
  const { instance, failure } = await createWatched(PGlite, {})
  let writes = 0
  return {
    ...adopt(instance),
    failure,
    isUpkeepDue: () => {
      writes = (writes + 1) % writesBetweenCheckpoints
      return writes === 0
    },
    close: () => instance.close(),
  }
}

/** A database that someone else opened and will close. */
export async function openForeign(instance: PGliteInstance): Promise<OpenDatabase> {
  await instance.waitReady
  return adopt(instance)
}

function adopt(instance: PGliteInstance): OpenDatabase {
  return {
    instance,
    assertSpace: () => {},
    failure: () => undefined,
    isUpkeepDue: () => false,
    abandon: () => {},
    close: async () => {},
  }
}

/** A database on the disk, each of whose commits is on the disk when it is answered. The caller holds the lock. */
export async function openInDirectory(directory: string): Promise<OpenDatabase> {
  const pglite = await loadPglite()
  const databaseDirectory = prepareDirectory(directory)
  const assertSpace = () => {
    const free = freeBytes(databaseDirectory)
    if (free < minimumFreeBytes) throw spaceTooLow(databaseDirectory, free)
  }
  assertSpace()

  const fileSystem = createSyncingFileSystem(pglite.NodeFS, databaseDirectory)
  const startParams = durableStartParameters(pglite)
  try {
    const { instance, failure } = await createWatched(pglite.PGlite, { fs: fileSystem, startParams })
    // Postgres has marked itself as running by now, so it must have asked for a sync.
    if (fileSystem.syncs() === 0) throw packageUnfit('way for Postgres to sync its files')
    finishDirectory(databaseDirectory)
    let logBytesBefore = 0
    return {
      instance,
      assertSpace,
      failure,
      isUpkeepDue: () => {
        if (fileSystem.logBytes() - logBytesBefore < logBytesBetweenCheckpoints) return false
        logBytesBefore = fileSystem.logBytes()
        return true
      },
      abandon: fileSystem.abandon,
      close: () => instance.close(),
    }
  } catch (error) {
    fileSystem.abandon()
    throw error
  }
}

type Watched = { readonly instance: PGliteInstance; readonly failure: () => string | undefined }

/** Sees when Postgres ends itself: any later statement, and PGlite sends some by itself, would run in a circle for ever. */
async function createWatched(PGlite: PGlitePackage['PGlite'], options: PGliteOptions): Promise<Watched> {
  let failure: string | undefined
  const refuse = () => {
    if (failure !== undefined) throw databaseFailed(failure)
  }
  const onStderr = (text: string) => {
    if (/\b(PANIC|FATAL):|^Aborted\(/.test(text)) failure ??= text.replace(/^.*(PANIC|FATAL):\s*/, '')
    return true
  }
  const instance = await PGlite.create({ ...options, onStderr }).catch((error: unknown) => {
    refuse()
    throw error
  })
  const { Module: module } = instance
  const execute = instance.execProtocolRawSync?.bind(instance)
  const restore = module?.stackRestore?.bind(module)
  if (module === undefined || execute === undefined || restore === undefined) throw packageUnfit('way to see it fail')
  instance.execProtocolRawSync = (message) => {
    refuse()
    return execute(message)
  }
  module.stackRestore = (pointer) => {
    refuse()
    restore(pointer)
  }
  return { instance, failure: () => failure }
}
