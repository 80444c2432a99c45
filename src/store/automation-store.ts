import type { UpkeepLease } from './upkeep-store.ts'

/** Automations that were defined by hand, and what became of each run. */
export type AutomationStore = {
  /** Grows with every change of a definition. */
  readonly revision: (environment: string) => Promise<number>
  /** In the order of their names, with those that are gone but may still be waited for. */
  readonly list: (environment: string) => Promise<readonly StoredAutomation[]>
  /** In place of what there was. False if it was changed since `ifRevision`, and then nothing changed. */
  readonly save: (automation: AutomationToSave) => Promise<boolean>
  /** False if there is none. */
  readonly delete: (environment: string, name: string, by: string) => Promise<boolean>

  readonly noteRun: (run: RunToNote) => Promise<void>
  /** Newest first. */
  readonly findRuns: (environment: string, filter: RunFilter) => Promise<readonly StoredRun[]>
  readonly readRun: (environment: string, id: string) => Promise<StoredRun | undefined>
  /** Removes runs that are older, the oldest first. */
  readonly pruneRuns: (lease: UpkeepLease, step: PruneRunsStep) => Promise<number | 'lease_lost'>
}

export type StoredAutomation = {
  readonly name: string
  /** JSON; undefined if it was deleted. */
  readonly definition: string | undefined
  readonly revision: number
  readonly changedAt: Date
  readonly changedBy: string
  /** What it ran on before, as JSON: events that were recorded for it then may still wait. */
  readonly formerTriggers: readonly string[]
}

export type AutomationToSave = {
  readonly environment: string
  readonly name: string
  /** JSON. */
  readonly definition: string
  /** JSON; undefined while it is switched off. */
  readonly trigger: string | undefined
  readonly by: string
  readonly ifRevision: number | undefined
}

/** A run as it goes into the log. */
export type RunToNote = {
  readonly environment: string
  readonly automation: string
  readonly source: string
  readonly eventId: string
  readonly receiptId: string
  readonly attempt: number
  readonly outcome: 'completed' | 'ended' | 'failed'
  readonly error: string | undefined
  readonly tookMilliseconds: number
  /** JSON; sealed where values are encrypted. */
  readonly steps: string
}

export type StoredRun = RunToNote & { readonly id: string; readonly endedAt: Date }

export type RunFilter = {
  readonly automation: string | undefined
  readonly outcome?: RunToNote['outcome'] | undefined
  readonly beforeId: string | undefined
  readonly limit: number
}

export type PruneRunsStep = { readonly environment: string; readonly olderThanDays: number; readonly limit: number }
