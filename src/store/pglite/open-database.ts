import { freeBytes, minimumFreeBytes } from './free-space.ts'
import { durableStartParameters, loadPglite } from './load-pglite.ts'
import { databaseFailed, spaceTooLow } from './pglite-errors.ts'
import type { PGliteInstance } from './pglite-types.ts'
import { finishDirectory, prepareDirectory } from './prepare-directory.ts'
import { createSyncingFileSystem } from './syncing-file-system.ts'

/** A database that is open, and what its client has to know of it. */
export type OpenDatabase = {
  readonly instance: PGliteInstance
  /** Throws if writing would be unwise. */
  readonly assertSpace: () => void
  /** The reason why this database is dead, or undefined. */
  readonly failure: () => string | undefined
  /** To be called after what was written was acknowledged; answers with upkeep that is due. */
  readonly dueUpkeep: () => 'checkpoint' | undefined
  /** Lets go of a dead database without a word to it: it would not answer. */
  readonly abandon: () => void
  readonly close: () => Promise<void>
}

/** Postgres in one process alone never checkpoints by itself, so its log would grow until the disk is full. */
const logBytesBetweenCheckpoints = 64 * 1024 * 1024

/** A database that is gone when the process ends. */
export async function openInMemory(): Promise<OpenDatabase> {
  const { PGlite } = await loadPglite()
  return adopt(await PGlite.create({}), (instance) => instance.close())
}

/** A database that someone else opened and will close. */
export async function openForeign(instance: PGliteInstance): Promise<OpenDatabase> {
  await instance.waitReady
  return adopt(instance, async () => {})
}

function adopt(instance: PGliteInstance, close: (instance: PGliteInstance) => Promise<void>): OpenDatabase {
  return {
    instance,
    assertSpace: () => {},
    failure: () => undefined,
    dueUpkeep: () => undefined,
    abandon: () => {},
    close: () => close(instance),
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
  let failure: string | undefined
  let logBytes = 0
  const options = {
    fs: fileSystem,
    startParams: durableStartParameters(pglite),
    onStderr: (text: string) => {
      if (/\bPANIC:|^Aborted\(/.test(text)) failure ??= text.replace(/^.*PANIC:\s*/, '')
      return true
    },
  }
  const instance = await pglite.PGlite.create(options).catch((error: unknown) => {
    fileSystem.abandon()
    throw failure === undefined ? error : databaseFailed(failure, error)
  })
  refuseAfterFailure(instance, () => failure)
  finishDirectory(databaseDirectory)

  return {
    instance,
    assertSpace,
    failure: () => failure,
    dueUpkeep: () => {
      logBytes += fileSystem.takeLogBytes()
      if (logBytes < logBytesBetweenCheckpoints) return undefined
      logBytes = 0
      return 'checkpoint'
    },
    abandon: fileSystem.abandon,
    close: () => instance.close(),
  }
}

/** After a panic the next statement would never return, and PGlite itself sends one: a rollback. */
function refuseAfterFailure(instance: PGliteInstance, failure: () => string | undefined): void {
  const execute = instance.execProtocolRawSync?.bind(instance)
  if (execute === undefined) return
  instance.execProtocolRawSync = (message) => {
    const reason = failure()
    if (reason !== undefined) throw databaseFailed(reason)
    return execute(message)
  }
}
