/** What the ledger takes over from elsewhere: tables of handlers before Oncehook. */
export type RecoveryStore = {
  /**
   * Begins a run, or goes on with an unfinished one of the same plan. Of any number of concurrent calls one gets it; whoever has it gives
   * a sign of life with every step, or loses it after `holdSeconds`.
   */
  readonly openRun: (request: RunRequest) => Promise<OpenedRun>
  /** False if somebody else has the run by now: then nothing changed. */
  readonly finishRun: (run: HeldRun) => Promise<boolean>
  /** Lets go of a run that is not finished, so that anybody may go on with it at once. */
  readonly releaseRun: (run: HeldRun) => Promise<void>
  /** Newest first. */
  readonly findRuns: (environment: string, filter: RunFilter) => Promise<readonly RecoveryRun[]>
  /** Looks up what is meant by the names a user gave. Rejects with every mistake in them. */
  readonly resolveTable: (wish: TableWish) => Promise<LegacyTable>
  /** Counts what an import would do with the next rows, and changes nothing. */
  readonly previewImport: (batch: ImportBatch) => Promise<ImportedBatch>
  /** Takes over the next rows and notes how far it came, in one transaction. Rejects with `ONCEHOOK_RUN_LOST` if somebody else has the run. */
  readonly importRows: (step: ImportStep) => Promise<ImportedBatch>
}

export type RunKind = 'import'

export type RunRequest = {
  readonly environment: string
  readonly source: string
  readonly kind: RunKind
  /** What tells one run from another: equal plans are one run until it is finished. */
  readonly plan: string
  /** New for every call. */
  readonly holder: string
  readonly holdSeconds: number
}

export type OpenedRun =
  | { readonly kind: 'open'; readonly run: HeldRun; readonly cursor: string | undefined; readonly counts: RunCounts }
  | { readonly kind: 'held'; readonly runId: string; readonly holder: string; readonly milliseconds: number }

/** The proof of whoever works on a run. */
export type HeldRun = { readonly id: string; readonly holder: string; readonly holdSeconds: number }

export type RunCounts = Readonly<Record<string, number>>

export type RunFilter = { readonly kind?: RunKind; readonly source?: string; readonly limit?: number }

/** A run as people look at it. */
export type RecoveryRun = {
  readonly id: string
  readonly kind: RunKind
  readonly source: string
  readonly plan: string
  readonly counts: RunCounts
  readonly startedAt: Date
  readonly updatedAt: Date
  readonly finishedAt: Date | undefined
}

/** A table as a user names it. */
export type TableWish = {
  readonly table: string
  /** Several columns or texts make one id, as they do in a provider's own ids. */
  readonly eventId: readonly IdPart[]
  readonly type: string | undefined
  readonly processedAt: string | undefined
  readonly status: string | undefined
  readonly objectId: string | undefined
  /** A unique key of the table. Without it, its primary key. */
  readonly key: readonly string[] | undefined
}

/** A column, or a text that is the same in all rows. */
export type IdPart = { readonly column: string } | { readonly value: string }

/** The same with names that can stand in SQL. */
export type LegacyTable = {
  /** For people: schema and name. */
  readonly name: string
  readonly tableSql: string
  readonly eventIdSql: string
  readonly typeSql: string | undefined
  readonly processedAtSql: string | undefined
  readonly statusSql: string | undefined
  readonly objectIdSql: string | undefined
  readonly key: readonly { readonly columnSql: string; readonly type: string }[]
  /** By the database's own statistics. Undefined if it has none. */
  readonly estimatedRows: number | undefined
}

export type ImportBatch = {
  readonly environment: string
  readonly source: string
  readonly table: LegacyTable
  /** A condition in SQL, as the user gave it. */
  readonly where: string | undefined
  /** Of events whose table has no types. */
  readonly defaultType: string
  /** What the status column says of what is done. Undefined: every row is. */
  readonly processedStatuses: readonly string[] | undefined
  readonly others: 'leave' | 'dead_letter'
  /** The last row before these. */
  readonly cursor: string | undefined
  readonly limit: number
}

export type ImportStep = {
  readonly batch: ImportBatch
  readonly run: HeldRun
  /** Of the run so far. Those of this step are added. */
  readonly counts: RunCounts
}

/** What became of the rows of a batch. */
export type ImportedBatch = {
  readonly cursor: string | undefined
  readonly rows: number
  readonly imported: number
  readonly deadLetters: number
  /** Those whose event the ledger has, or another row of the batch. */
  readonly known: number
  /** Those that are not processed yet. */
  readonly leftOut: number
  readonly withoutId: number
}
