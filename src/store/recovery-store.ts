import type { NewReceipt } from '../receipt/receipt.ts'

/** What the ledger takes over from elsewhere: what a provider says it has sent, and tables of handlers before Oncehook. */
export type RecoveryStore = {
  /**
   * Begins a run, or goes on with an unfinished one of the same plan. Of any number of concurrent calls one gets it; whoever has it gives
   * a sign of life with every step, or loses it after `holdSeconds`.
   */
  readonly openRun: (request: RunRequest) => Promise<OpenedRun>
  /** False if somebody else has the run by now: then nothing changed. */
  readonly finishRun: (run: HeldRun) => Promise<boolean>
  /** A sign of life. False if somebody else has the run by now. */
  readonly renewRun: (run: HeldRun) => Promise<boolean>
  /** How far a run has come. Rejects with `ONCEHOOK_RUN_LOST` if somebody else has it. */
  readonly saveRun: (run: HeldRun, progress: RunProgress) => Promise<void>
  /** Lets go of a run that is not finished, so that anybody may go on with it at once. */
  readonly releaseRun: (run: HeldRun) => Promise<void>
  /** Newest first. */
  readonly findRuns: (environment: string, filter: RunFilter) => Promise<readonly RecoveryRun[]>
  /** Those of these ids that the ledger has an event of. */
  readonly knownEvents: (environment: string, source: string, eventIds: readonly string[]) => Promise<readonly string[]>
  /** Those of these objects, by their place in the list, that the ledger has an event of which happened since. */
  readonly coveredObjects: (
    environment: string,
    source: string,
    objects: readonly { readonly id: string; readonly since: Date }[],
  ) => Promise<readonly number[]>
  /**
   * Records events of a history, marked as such, and notes how far the run came, in one transaction. An event that a handler is running at
   * this moment is waited for only briefly, and then named as busy: of the others, all are recorded.
   */
  readonly recordHistory: (step: HistoryStep) => Promise<RecordedHistory>
  /** How many events of the source are in the queue, as far as a number. */
  readonly queuedEvents: (environment: string, source: string, atMost: number) => Promise<number>
  /** When the sources were last looked after, and when something of them last came. By the database's clock. */
  readonly readWatches: (environment: string, sources: readonly string[]) => Promise<readonly SourceWatch[]>
  /** They were looked after, just now. */
  readonly saveWatches: (environment: string, watches: readonly SourceWatch[]) => Promise<void>
  /** Looks up what is meant by the names a user gave. Rejects with every mistake in them. */
  readonly resolveTable: (wish: TableWish) => Promise<LegacyTable>
  /** Counts what an import would do with the next rows, and changes nothing. */
  readonly previewImport: (batch: ImportBatch) => Promise<ImportedBatch>
  /** Takes over the next rows and notes how far it came, in one transaction. Rejects with `ONCEHOOK_RUN_LOST` if somebody else has the run. */
  readonly importRows: (step: ImportStep) => Promise<ImportedBatch>
}

export type RunKind = 'import' | 'backfill'

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
  | { readonly kind: 'open'; readonly run: HeldRun; readonly progress: RunProgress }
  | { readonly kind: 'held'; readonly runId: string; readonly holder: string; readonly milliseconds: number }

/** The proof of whoever works on a run. */
export type HeldRun = { readonly id: string; readonly holder: string; readonly holdSeconds: number }

export type RunCounts = Readonly<Record<string, number>>

export type RunProgress = {
  readonly cursor: string | undefined
  readonly counts: RunCounts
  readonly failures?: readonly RunFailure[]
}

/** What a run could not bring in. */
export type RunFailure = { readonly eventId: string; readonly type: string; readonly error: string }

export type HistoryStep = {
  readonly receipts: readonly NewReceipt[]
  readonly run: HeldRun
  /** The run so far, without these receipts. */
  readonly progress: RunProgress
}

export type RecordedHistory = {
  readonly recorded: number
  /** Those that came in another way in the meantime. */
  readonly known: number
  readonly busy: readonly NewReceipt[]
}

export type RunFilter = {
  readonly kind?: RunKind
  readonly source?: string
  readonly isFinished?: boolean
  readonly limit?: number
}

export type SourceWatch = {
  readonly source: string
  readonly now: Date
  /** Undefined before the first look. */
  readonly lookedAt: Date | undefined
  /** When the newest webhook came. Before anything came, the time of the first look. */
  readonly heardAt: Date
  /** The same at the last look. */
  readonly heardBefore: Date | undefined
  /** The longest silence that is known to be usual. */
  readonly pauseSeconds: number
  /** The newest receipt that was looked at. */
  readonly seenTo: string
}

/** A run as people look at it. */
export type RecoveryRun = {
  readonly id: string
  readonly kind: RunKind
  readonly source: string
  readonly plan: string
  readonly counts: RunCounts
  readonly failures: readonly RunFailure[]
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
