import type { InboxListener } from '../events.ts'
import type { RecoveryStore } from '../store/recovery-store.ts'
import type { UpkeepTask } from '../upkeep.ts'
import { type AutomaticBackfillOptions, automaticBackfillTasks } from './automatic-backfill.ts'
import { type BackfillOptions, type BackfillParts, type BackfillReport, backfill } from './backfill.ts'
import { findGaps, type GapOptions, type GapReport } from './find-gaps.ts'
import { type ImportOptions, type ImportReport, importTable } from './import-table.ts'

/** Bringing in what did not come as webhooks. */
export type Recovery = {
  /** What the provider says it has sent in a time, beside what is in the ledger. Changes nothing. */
  readonly gaps: (options: GapOptions) => Promise<GapReport>
  /**
   * Takes what is missing from the provider's API, through the same duplicate check, into the queue. It is authentic because the provider
   * was asked with your own credentials: nothing of it has a signature. Called again with the same times, or with `continue`, an
   * interrupted run goes on where it stopped.
   */
  readonly backfill: (options: BackfillOptions) => Promise<BackfillReport>
  /**
   * Takes over a table of events that were processed before Oncehook came: none of them runs again. Called again with the same options,
   * an interrupted import goes on where it stopped.
   */
  readonly importTable: (options: ImportOptions) => Promise<ImportReport>
}

export type RecoveryParts = Omit<BackfillParts, 'onNotice'> & {
  readonly store: RecoveryStore
  readonly ready: () => Promise<void>
  readonly emit: InboxListener
  readonly automatic: AutomaticBackfillOptions | undefined
}

/** What users call, and what is done by itself. */
export function createRecovery(given: RecoveryParts): {
  readonly recovery: Recovery
  readonly tasks: readonly UpkeepTask[]
} {
  const { ready, sources, emit, automatic } = given
  const parts = { ...given, onNotice: (message: string) => emit({ kind: 'notice', level: 'info', message }) }
  const tasks = automaticBackfillTasks(automatic, { ...parts, backfill: (wish) => backfill(parts, wish) })
  const recovery: Recovery = {
    async gaps(options) {
      await ready()
      return findGaps(parts, options)
    },
    async backfill(options) {
      await ready()
      return backfill(parts, options)
    },
    async importTable(options) {
      await ready()
      return importTable({ ...parts, sources: new Set(sources.keys()) }, options)
    },
  }
  return { recovery, tasks }
}
