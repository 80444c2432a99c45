/** The rows of one statement, as PGlite answers. */
export type PGliteResults<Row = unknown> = { readonly rows: Row[]; readonly affectedRows?: number | undefined }

/** How PGlite turns values into text and back, by type OID, for one statement. */
export type PGliteQueryOptions = {
  parsers?: Record<number, (text: string) => unknown>
  serializers?: Record<number, (value: unknown) => string>
}

/** The part of PGlite's transaction that is needed here, and what handlers get as `tx`. */
export type PGliteTransaction = {
  query: <Row = Record<string, unknown>>(
    text: string,
    values?: unknown[],
    options?: PGliteQueryOptions,
  ) => Promise<PGliteResults<Row>>
  sql: <Row = Record<string, unknown>>(
    strings: TemplateStringsArray,
    ...values: unknown[]
  ) => Promise<PGliteResults<Row>>
  exec: (text: string) => Promise<PGliteResults[]>
}

/** The part of a PGlite database that is needed here, so that the package stays out of our dependencies. */
export type PGliteInstance = PGliteTransaction & {
  readonly waitReady: Promise<void>
  transaction<Result>(
    work: (transaction: PGliteTransaction & PGliteTransactionState) => Promise<Result>,
  ): Promise<Result>
  close(): Promise<void>
  /** Every statement goes through here. */
  execProtocolRawSync?(message: Uint8Array): Uint8Array
  readonly Module?: {
    /** Called in PGlite's loop over what it was sent, whenever Postgres has jumped out of it. */
    stackRestore?: (pointer: number) => void
  }
}

/** True once PGlite has ended the transaction, by whomever. */
export type PGliteTransactionState = { readonly closed: boolean }

/** A database as an app may use it outside of handlers. */
export type PGliteDatabase = PGliteTransaction & Pick<PGliteInstance, 'transaction'>

/** What `import('@electric-sql/pglite')` and its `nodefs` give, as far as it is needed here. */
export type PGlitePackage = {
  readonly PGlite: {
    readonly defaultStartParams?: readonly string[]
    create(options: PGliteOptions): Promise<PGliteInstance>
  }
  readonly NodeFS: NodeFileSystemClass
}

export type PGliteOptions = {
  readonly dataDir?: string
  readonly fs?: PGliteFileSystem
  readonly startParams?: string[]
  readonly onStderr?: (text: string) => boolean
}

/** The members of PGlite's file system that ours takes part in. */
export type PGliteFileSystem = {
  init(
    database: unknown,
    options: EmscriptenOptions,
  ): Promise<{ emscriptenOpts: EmscriptenOptions & { preRun: ((module: EmscriptenModule) => void)[] } }>
  initialSyncFs(): Promise<void>
  syncToFs(relaxedDurability?: boolean): Promise<void>
}

export type NodeFileSystemClass = new (directory: string) => PGliteFileSystem

export type EmscriptenOptions = { preRun?: ((module: EmscriptenModule) => void)[] }

/** What Emscripten's view of Node's file system lets us reach: the open files, and the calls that Postgres makes on them. */
export type EmscriptenModule = {
  readonly FS: {
    readonly streams: (EmscriptenStream | null | undefined)[]
    readonly ErrnoError: new (errno: number) => Error
    isDir(mode: number): boolean
  }
  readonly NODEFS: {
    readonly stream_ops: EmscriptenStreamOperations
    realPath(node: EmscriptenStream['node']): string
    tryFSOperation<Result>(operation: () => Result): Result
  }
}

export type EmscriptenStream = { readonly node: { readonly mode: number }; nfd?: number }

export type EmscriptenStreamOperations = {
  fsync?: (stream: EmscriptenStream) => number
  write: (stream: EmscriptenStream, buffer: Uint8Array, offset: number, length: number, position: number) => number
}
