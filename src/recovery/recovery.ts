import type { Clock } from '../clock.ts'
import type { RecoveryStore } from '../store/recovery-store.ts'
import { type ImportOptions, type ImportReport, importTable } from './import-table.ts'

/** Bringing in what did not come as webhooks. */
export type Recovery = {
  /**
   * Takes over a table of events that were processed before Oncehook came: none of them runs again. Called again with the same options,
   * an interrupted import goes on where it stopped.
   */
  readonly importTable: (options: ImportOptions) => Promise<ImportReport>
}

export type RecoveryParts = {
  readonly store: RecoveryStore
  readonly environment: string
  readonly sources: ReadonlyMap<string, unknown>
  readonly clock: Clock
  readonly worker: string
  readonly ready: () => Promise<void>
}

export function createRecovery({ ready, sources, ...parts }: RecoveryParts): Recovery {
  return {
    async importTable(options) {
      await ready()
      return importTable({ ...parts, sources: new Set(sources.keys()) }, options)
    },
  }
}
