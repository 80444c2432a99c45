import { closeSync, existsSync, fdatasyncSync, fsyncSync } from 'node:fs'
import { join } from 'node:path'
import type {
  EmscriptenModule,
  EmscriptenOptions,
  EmscriptenStream,
  NodeFileSystemClass,
  PGliteFileSystem,
} from './pglite-types.ts'
import { syncDirectoryTree } from './sync-directory.ts'

export type SyncingFileSystem = PGliteFileSystem & {
  /** Bytes written to the write-ahead log so far. */
  readonly logBytes: () => number
  /** How often Postgres has asked for a sync. */
  readonly syncs: () => number
  /** Closes the files of a database that failed, so that nothing of it can be written any more. */
  readonly abandon: () => void
}

/**
 * PGlite's file system for Node, which lets `fsync` pass without doing anything, made to sync. Postgres itself then says what has to be
 * on the disk and when: the log before a commit is answered and before a page that it describes, everything at a checkpoint.
 * What Postgres does not sync is what PGlite copies in at the first start, so the whole directory is synced once before it is used.
 */
export function createSyncingFileSystem(NodeFS: NodeFileSystemClass, directory: string): SyncingFileSystem {
  let logBytes = 0
  let syncs = 0
  let emscripten: EmscriptenModule | undefined

  class SyncingNodeFS extends NodeFS {
    private isSynced = existsSync(join(directory, 'PG_VERSION'))

    override async init(database: unknown, options: EmscriptenOptions): ReturnType<PGliteFileSystem['init']> {
      const prepared = await super.init(database, options)
      prepared.emscriptenOpts.preRun.push((module) => {
        emscripten = module
        addSync(module, {
          onLogWrite: (bytes) => {
            logBytes += bytes
          },
          onSync: () => {
            syncs += 1
          },
        })
      })
      return prepared
    }

    /** Before Postgres starts on files that someone else may have left unsynced. */
    override async initialSyncFs(): Promise<void> {
      if (this.isSynced) syncDirectoryTree(directory)
    }

    /** PGlite calls this once between the first copy of the files and the start of Postgres, and then after each statement. */
    override async syncToFs(): Promise<void> {
      if (!this.isSynced) syncDirectoryTree(directory)
      this.isSynced = true
    }
  }

  const fileSystem = new SyncingNodeFS(directory)
  return Object.assign(fileSystem, {
    logBytes: () => logBytes,
    syncs: () => syncs,
    abandon: () => {
      for (const stream of emscripten?.FS.streams ?? []) closeStream(stream)
      // A second time the same numbers could be the files of someone else.
      emscripten = undefined
    },
  })
}

type Observers = { readonly onLogWrite: (bytes: number) => void; readonly onSync: () => void }

function addSync({ FS, NODEFS }: EmscriptenModule, { onLogWrite, onSync }: Observers): void {
  const isLog = (stream: EmscriptenStream) => /[\\/]pg_wal[\\/][0-9A-F]{24}$/.test(NODEFS.realPath(stream.node))
  const { write } = NODEFS.stream_ops

  NODEFS.stream_ops.fsync = (stream) => {
    const descriptor = stream.nfd
    if (descriptor === undefined || (process.platform === 'win32' && FS.isDir(stream.node.mode))) return 0
    // A failure must reach Postgres, which then stops at once: after it nobody knows what is on the disk.
    NODEFS.tryFSOperation(() => (isLog(stream) ? fdatasyncSync(descriptor) : fsyncSync(descriptor)))
    onSync()
    return 0
  }

  NODEFS.stream_ops.write = (stream, buffer, offset, length, position) => {
    const written = write(stream, buffer, offset, length, position)
    if (isLog(stream)) onLogWrite(written)
    return written
  }
}

function closeStream(stream: EmscriptenStream | null | undefined): void {
  if (typeof stream?.nfd !== 'number') return
  try {
    closeSync(stream.nfd)
  } catch {
    // Closed before, as one of two that shared it.
  }
}
