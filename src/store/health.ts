/**
 * How things stand, at a glance. No figure costs a walk over the ledger: rates are of the last hour, or of the newest deliveries where more
 * came than are looked at, and the size is an estimate where the table is large.
 */
export type HealthReport = {
  readonly environment: string
  /** How far back the rates look: an hour, or less. */
  readonly windowSeconds: number
  /** Counts of what waits or failed end here: one that is as large means "at least". */
  readonly countedUpTo: number
  /** Every source that has sent something lately, or has something waiting or dead. By name. */
  readonly sources: readonly SourceHealth[]
  /** Every target that has messages waiting or dead. By name. */
  readonly targets: readonly TargetHealth[]
  readonly ledger: LedgerSize
}

/** How one source stands. */
export type SourceHealth = {
  readonly source: string
  /** Events that were recorded for the first time within the window. */
  readonly received: number
  /** Deliveries within the window whose event was there already. */
  readonly duplicates: number
  /** Deliveries of the week before, as far as they were sampled, and how many of them were duplicates. */
  readonly baseline: { readonly deliveries: number; readonly duplicates: number }
  /** Events whose first attempt ended within the window, and of how many it failed. */
  readonly firstAttempts: number
  readonly firstAttemptsFailed: number
} & Backlog

/** How one target of the outbox stands. */
export type TargetHealth = { readonly target: string } & Backlog

/** What is still to be done, and what failed for good. */
export type Backlog = {
  readonly waiting: number
  /** How many of these are in the hands of a worker. */
  readonly running: number
  /** How many of these should be in the hands of one. */
  readonly due: number
  /** Since when the one that has waited longest is due. Undefined if nothing is. */
  readonly oldestDueSeconds: number | undefined
  readonly deadLetters: number
}

/** Receipts of all environments. */
export type LedgerSize = {
  readonly rows: number
  readonly addedLastDay: number
  /** Exact up to `countedUpTo`, else estimates. */
  readonly isEstimate: boolean
}
