import type { Clock } from '../clock.ts'
import { invalidOptions } from '../errors.ts'
import type {
  IdPart,
  ImportBatch,
  ImportedBatch,
  RecoveryStore,
  RunCounts,
  TableWish,
} from '../store/recovery-store.ts'
import { withRun } from './hold-run.ts'

/** A table of events that were processed before Oncehook came, and what its columns mean. */
export type ImportOptions = {
  /** Whose events they are: a name in `sources`. */
  readonly source: string
  /** As in `public.processed_events`. */
  readonly table: string
  readonly columns: ImportColumns
  /** A condition in SQL on the rows of the table. It goes into the statement as it is. */
  readonly where?: string
  /** Of events without a type of their own. Default `imported`. */
  readonly type?: string
  /** What the status column says of what is done. Required with `columns.status`. */
  readonly processedStatuses?: readonly string[]
  /** Rows that are not processed yet: left out, so that a redelivery runs them, or imported as dead letters. Default `leave`. */
  readonly others?: 'leave' | 'dead_letter'
  /** The columns of a unique key by which to read. Default: the primary key. */
  readonly key?: readonly string[]
  /** Rows of one transaction. Default 10,000. */
  readonly batchRows?: number
  /** Only count what would be done. Default false. */
  readonly dryRun?: boolean
  readonly onProgress?: (progress: ImportReport) => void
  readonly signal?: AbortSignal
}

/** Which columns of the table hold what. */
export type ImportColumns = {
  /** Several make one id, as `compositeId` does; `{ value }` is the same in all rows. */
  readonly eventId: string | readonly (string | { readonly value: string })[]
  readonly type?: string
  readonly objectId?: string
  /** A time, or Unix seconds. A row without one is not processed yet. */
  readonly processedAt?: string
  readonly status?: string
}

/** What became of the rows of the table so far. */
export type ImportReport = {
  /** Undefined for a dry run, of which nothing is kept. */
  readonly runId: string | undefined
  /** Schema and name. */
  readonly table: string
  readonly isFinished: boolean
  /** By the database's own statistics. */
  readonly estimatedRows: number | undefined
  readonly rows: number
  /** Receipts that are processed from now on. */
  readonly imported: number
  readonly deadLetters: number
  /** Events that the ledger had already. */
  readonly known: number
  /** Rows that are not processed yet. */
  readonly leftOut: number
  readonly withoutId: number
}

export type ImportParts = {
  readonly store: RecoveryStore
  readonly environment: string
  readonly sources: ReadonlySet<string>
  readonly clock: Clock
  readonly worker: string
}

/**
 * Takes over a table of processed events, so that none of them runs again. Row by row nothing happens: each batch is one statement
 * inside the database. An interrupted import goes on where it stopped, when it is called again with the same options.
 */
export async function importTable(parts: ImportParts, options: ImportOptions): Promise<ImportReport> {
  const { store, environment } = parts
  checkImport(parts.sources, options)
  const wish = wishOf(options)
  const table = await store.resolveTable(wish)
  const { source, where, type = 'imported', processedStatuses, others = 'leave', batchRows = 10_000 } = options
  const batch = { environment, source, table, where, defaultType: type, processedStatuses, others, limit: batchRows }
  const plan = JSON.stringify({ ...wish, table: table.name, where, type, processedStatuses, others })
  return options.dryRun === true ? preview(parts, options, batch) : record(parts, options, { batch, plan })
}

type Batches = Omit<ImportBatch, 'cursor'>

async function preview({ store }: ImportParts, options: ImportOptions, batch: Batches): Promise<ImportReport> {
  let report = reportOf(batch, undefined, {})
  let cursor: string | undefined
  for (;;) {
    options.signal?.throwIfAborted()
    const counted = await store.previewImport({ ...batch, cursor })
    report = reportOf(batch, undefined, sumOf(report, counted))
    options.onProgress?.(report)
    if (counted.rows < batch.limit) return { ...report, isFinished: true }
    cursor = counted.cursor
  }
}

async function record(
  parts: ImportParts,
  options: ImportOptions,
  { batch, plan }: { readonly batch: Batches; readonly plan: string },
): Promise<ImportReport> {
  const { store, environment } = parts
  const { signal, source } = options
  const wish = { environment, source, kind: 'import', plan } as const
  return withRun(parts, { wish, signal }, async ({ run, ...opened }) => {
    let { cursor, counts } = opened.progress
    for (;;) {
      signal?.throwIfAborted()
      const imported = await store.importRows({ batch: { ...batch, cursor }, run, counts })
      counts = sumOf(counts, imported)
      const report = reportOf(batch, run.id, counts)
      if (imported.rows < batch.limit) return { ...report, isFinished: true }
      options.onProgress?.(report)
      cursor = imported.cursor
    }
  })
}

const counted = ['rows', 'imported', 'deadLetters', 'known', 'leftOut', 'withoutId'] as const

function sumOf(before: RunCounts | ImportReport, batch: ImportedBatch): RunCounts {
  return Object.fromEntries(counted.map((name) => [name, (before[name] ?? 0) + batch[name]]))
}

function reportOf({ table }: Batches, runId: string | undefined, counts: RunCounts): ImportReport {
  const { name, estimatedRows } = table
  const { rows = 0, imported = 0, deadLetters = 0, known = 0, leftOut = 0, withoutId = 0 } = counts
  const sums = { rows, imported, deadLetters, known, leftOut, withoutId }
  return { runId, table: name, isFinished: false, estimatedRows, ...sums }
}

function wishOf({ table, columns, key }: ImportOptions): TableWish {
  const { eventId, type, objectId, processedAt, status } = columns
  const parts = typeof eventId === 'string' ? [eventId] : eventId
  const toPart = (part: string | { readonly value: string }): IdPart =>
    typeof part === 'string' ? { column: part } : { value: part.value }
  return { table, eventId: parts.map(toPart), type, objectId, processedAt, status, key }
}

function checkImport(sources: ReadonlySet<string>, options: ImportOptions): void {
  const { source, columns, processedStatuses = [], batchRows = 10_000, others = 'leave', table } = options
  const eventId = columns?.eventId
  const values = typeof eventId === 'object' ? eventId.flatMap((part) => (typeof part === 'string' ? [] : part)) : []
  const mistakes = [
    ...(sources.has(source)
      ? []
      : [`there is no source ${JSON.stringify(source)}; there are: ${[...sources].join(', ')}.`]),
    ...(typeof table === 'string' && table !== '' ? [] : ['table is missing: give it as in public.processed_events.']),
    ...(eventId === undefined || eventId.length === 0 ? ['columns.eventId is missing: name the column.'] : []),
    ...(values.some(({ value }) => value === '' || value.includes('\u0000'))
      ? ['a value in columns.eventId is empty, or holds what no id can.']
      : []),
    ...(columns?.status !== undefined && processedStatuses.length === 0
      ? ['processedStatuses is missing: say which statuses mean that an event is done.']
      : []),
    ...(columns?.status === undefined && processedStatuses.length > 0
      ? ['processedStatuses would have no effect without columns.status.']
      : []),
    ...(['leave', 'dead_letter'].includes(others) ? [] : ['others must be "leave" or "dead_letter".']),
    ...(Number.isInteger(batchRows) && batchRows >= 1 && batchRows <= 100_000
      ? []
      : ['batchRows must be a whole number from 1 to 100,000.']),
  ]
  if (mistakes.length > 0) throw invalidOptions('The import', mistakes)
}
