import type { ReceiptFilter } from '../receipt/receipt.ts'
import type { UpkeepLease } from './upkeep-store.ts'

/**
 * What upkeep removes, and what keeps it from doing so. Everything that takes a lease is one small step that is whole in itself and checks
 * the lease: a process that lost it changes nothing.
 */
export type RetentionStore = {
  /** Writes down how long each source of the environment keeps what. Answers with the rules of all its sources, past ones too. */
  readonly saveRules: (
    lease: UpkeepLease,
    environment: string,
    rules: readonly RetentionRule[],
  ) => Promise<readonly SourcePlan[]>
  /** Forgets them: nothing of the environment is removed any more. */
  readonly removeRules: (lease: UpkeepLease, environment: string) => Promise<void>
  /** The rules as they are. */
  readonly readRules: (environment: string) => Promise<readonly SourcePlan[]>
  /** The first receipt that is younger than this, and what the plan needs to know besides. */
  readonly survey: (ageDays: readonly number[]) => Promise<Survey>

  /** Removes finished receipts that are past their days, with all that hangs on them. Others are passed by, and noted. */
  readonly pruneReceipts: (lease: UpkeepLease, step: SourceStep) => Promise<StepResult>
  /** Removes those that were passed by before and can go now. */
  readonly pruneOverdue: (lease: UpkeepLease, step: EnvironmentStep) => Promise<StepResult>
  /** Keeps the keys of receipts that will go. They may go once all statements that began before have ended. */
  readonly keepKeys: (lease: UpkeepLease, step: SourceStep) => Promise<StepResult>
  /** Removes bodies whose source keeps them for a shorter time than the partition of their day lasts. */
  readonly pruneBodies: (lease: UpkeepLease, step: SourceStep) => Promise<StepResult>
  /** Removes rows of a log, or keys of effects, that are older than this and belong to no receipt. */
  readonly pruneLog: (lease: UpkeepLease, log: PrunedLog, step: LogStep) => Promise<StepResult>
  /** How many receipts `pruneReceipts` would remove in this range. Changes nothing. */
  readonly countPrunable: (step: SourceStep) => Promise<StepResult>

  /** Makes the day partitions of bodies for today and the next days, where they are missing. Answers with how many it made. */
  readonly prepareBodyDays: (lease: UpkeepLease) => Promise<number>
  /** Counts receipts that came since the last time, by day and source. */
  readonly countDays: (lease: UpkeepLease, limit: number) => Promise<StepResult>
  /** Days whose bodies are all past their time, oldest first. */
  readonly pastBodyDays: () => Promise<readonly BodyDay[]>
  /** Copies bodies of the day to where they outlive it, if their receipts are in work, dead or held. */
  readonly keepNeededBodies: (lease: UpkeepLease, day: BodyDay, limit: number) => Promise<StepResult>
  /** Empties the partition of a day at once. `busy`: it is in use, or a body of it has come to be needed. `refused`: the role may not. */
  readonly emptyBodyDay: (lease: UpkeepLease, day: BodyDay) => Promise<'done' | 'busy' | 'refused' | 'lease_lost'>
  /** The same row by row, where there is no partition of its own or it cannot be emptied. */
  readonly deleteBodies: (lease: UpkeepLease, day: BodyDay, limit: number) => Promise<StepResult>
  /** Takes an empty partition away. `busy`: deliveries are under way, and are not made to wait. */
  readonly dropBodyDay: (lease: UpkeepLease, day: BodyDay) => Promise<'done' | 'busy' | 'refused' | 'lease_lost'>
  /** Lets go of bodies that nobody needs any more. */
  readonly pruneKeptBodies: (
    lease: UpkeepLease,
    step: { readonly after: string | undefined; readonly limit: number },
  ) => Promise<StepResult>

  /** What the task has kept in mind since it ran last. */
  readonly readPlace: (lease: UpkeepLease) => Promise<string | undefined>
  readonly savePlace: (lease: UpkeepLease, place: string) => Promise<void>

  /** Keeps receipts, with their bodies and logs, until they are released. Those that are held already are left alone. Answers with their ids. */
  readonly hold: (environment: string, filter: ReceiptFilter, note: HoldNote) => Promise<readonly string[]>
  readonly release: (environment: string, filter: ReceiptFilter, note: HoldNote) => Promise<readonly string[]>
  /** How the ledger grew and shrank, newest day first. */
  readonly days: (environment: string, days: number) => Promise<readonly LedgerDay[]>
}

export type RetentionRule = {
  readonly source: string
  readonly keepDays: number
  readonly keepBodyDays: number
  /** Whether a key stays when the receipt goes, by which its event is known for ever. */
  readonly keepsKeys: boolean
}

/** A rule, and how far it has been followed. */
export type SourcePlan = RetentionRule & {
  /** All receipts up to this id were looked at. */
  readonly prunedTo: string
  readonly bodiesPrunedTo: string
  readonly keysKeptTo: string
  /** False while statements that cannot see the last keys may still be under way. */
  readonly areKeysSettled: boolean
  /** Whether its bodies must go one by one, because others keep the partitions of their days for longer. */
  readonly needsPruneBodies: boolean
}

export type Survey = {
  /** By the database's clock. */
  readonly now: Date
  /** For each age, the first receipt that is younger. */
  readonly firstIds: readonly string[]
  /** All receipts up to this id were counted. */
  readonly countedTo: string
}

export type EnvironmentStep = {
  readonly environment: string
  /** Where the last step ended. */
  readonly after: string
  readonly limit: number
}

export type SourceStep = EnvironmentStep & {
  readonly sources: readonly string[]
  /** Only receipts with smaller ids. */
  readonly beforeId: string
}

export type LogStep = {
  readonly environment: string
  readonly olderThanDays: number
  readonly after: string | undefined
  readonly limit: number
}

/** What can be left when a receipt is gone. */
export type PrunedLog = 'deliveries' | 'shadow_calls' | 'refusals' | 'attempts' | 'effects' | 'versions' | 'changes'

export type StepResult =
  | {
      readonly kind: 'step'
      readonly removed: number
      /** Where the next step begins; undefined if there is nothing more. */
      readonly next: string | undefined
    }
  | { readonly kind: 'lease_lost' }

export type BodyDay = {
  /** As in `2026-01-31`, by UTC. */
  readonly day: string
  /** Whether the day has a partition of its own. */
  readonly isPartition: boolean
}

/** Who asks for it, and why. Kept with the receipt. */
export type HoldNote = { readonly by: string; readonly why: string }

/** What became of the ledger on one day (UTC), for one source. */
export type LedgerDay = {
  /** As in `2026-01-31`. */
  readonly day: string
  readonly source: string
  /** Receipts that came. Counted some minutes later. */
  readonly added: number
  /** Receipts that were removed. */
  readonly pruned: number
  /** Bodies that were removed, counted by the receipts they belonged to. */
  readonly bodiesPruned: number
  /** Receipts at the end of the day. */
  readonly rows: number
}
