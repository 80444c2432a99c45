import type { Gauges } from '../receipt/gauges.ts'
import type {
  Attempt,
  Ending,
  EventKey,
  NewReceipt,
  NotedDelivery,
  OnKnown,
  Receipt,
  ReceiptFilter,
  Recorded,
  TimelineEntry,
} from '../receipt/receipt.ts'
import type { CountedRetries, RetryLimits } from '../receipt/retry-pattern.ts'
import type { IdentifiedEvent } from '../verify/provider.ts'
import type { AdminLogStore } from './admin-log-store.ts'
import type { AdminSessionStore } from './admin-session-store.ts'
import type { AlertStore } from './alert-store.ts'
import type { AutomationStore } from './automation-store.ts'
import type { CaptureStore } from './capture-store.ts'
import type { DatastoreStore } from './datastore-store.ts'
import type { DurabilityReport } from './durability-report.ts'
import type { EffectTransaction } from './effect-transaction.ts'
import type { HealthReport } from './health.ts'
import type { Inspection, InspectOptions } from './inspection.ts'
import type { MeterStore } from './meter-store.ts'
import type { OutboxStore } from './outbox-store.ts'
import type { OverviewStore } from './overview-store.ts'
import type { RecoveryStore } from './recovery-store.ts'
import type { RetentionStore } from './retention-store.ts'
import type { SealedStore } from './sealed-store.ts'
import type { ShadowStore } from './shadow-store.ts'
import type { StoredBody, StoredRedaction } from './stored-body.ts'
import type { UpkeepStore } from './upkeep-store.ts'

export type { EffectKey, EffectTransaction, MessageToAdd, VersionToRaise } from './effect-transaction.ts'
export type { StoredBody, StoredRedaction } from './stored-body.ts'

/**
 * Where receipts live. Every member is a verb of the domain with a promise that the conformance suite tests on each implementation.
 * `Tx` is the transaction object that handlers get. This type may change in any version; it is not for outsiders to implement.
 */
export type Store<Tx> = {
  readonly name: string
  /** What a source does unless it says otherwise. */
  readonly defaultMode: 'inline' | 'queued'
  /** How many handlers may hold a transaction at once without starving the rest of the app. */
  readonly transactionSlots: number

  /** Brings the schema to the newest version. Safe when many processes call it at once. */
  readonly migrate: () => Promise<MigrationReport>
  /** The same as text, for those who run migrations themselves. */
  readonly migrationSql: () => string

  /**
   * Writes receipts, bodies and queue rows in one statement. Of any number of concurrent calls with one key, exactly one is told `first`.
   * Of any number with one signed body under different ids, exactly one is `first` without repeating another; nobody waits for it.
   * Answers in the order given. When it resolves, everything is durable, and workers of other processes were told of what is queued.
   * Throws if that is not known. May tell of what is known already before that.
   */
  readonly recordReceipts: (receipts: readonly NewReceipt[], onKnown?: OnKnown) => Promise<readonly Recorded[]>

  /**
   * One transaction. Resolves only when the server has said COMMIT; rejects with `ONCEHOOK_COMMIT_UNKNOWN` when that cannot be known,
   * with `ONCEHOOK_CONFLICT` when the database chose it as the victim of a deadlock or a serialization failure (run it again).
   */
  readonly transaction: <Result>(
    work: (transaction: StoreTransaction<Tx>) => Promise<Result>,
    /** The time limit of the first handler that will run in it: known beforehand, it costs no round trip of its own. */
    options?: { readonly handlerSeconds?: number },
  ) => Promise<Result>

  /** Takes due events for this worker: a new fence each, attempts + 1. No event is ever handed to two workers at once. */
  readonly claim: (request: ClaimRequest) => Promise<readonly Claim[]>
  /** Extends leases that are still held; answers with the ids of those. A lost lease is never won back. */
  readonly renewLeases: (leases: readonly Lease[], leaseSeconds: number) => Promise<readonly string[]>
  /** Puts the event back for later. False if the lease was lost: then nothing changed. */
  readonly retryLater: (lease: Lease, later: Later) => Promise<boolean>
  /** Moves the event to the dead letters. False if the lease was lost. */
  readonly deadLetter: (
    lease: Lease,
    reason: { readonly error: string; readonly runs: readonly HandlerRun[] },
  ) => Promise<boolean>
  /** Gives back what was claimed and not run, as if it had never been claimed. Lost leases are passed over. */
  readonly handBack: (leases: readonly Lease[], delaySeconds?: number) => Promise<void>
  /** Milliseconds until something is due (0: now), undefined if nothing ever will be without a new event. */
  readonly millisecondsUntilDue: (scope: ClaimScope) => Promise<number | undefined>

  /** Keeps the record of a handler run whose transaction was rolled back. */
  readonly noteRun: (key: EventKey, run: HandlerRun) => Promise<void>
  /** Adds to the delivery log, and to the delivery count of the receipts. */
  readonly noteDeliveries: (deliveries: readonly NotedDelivery[]) => Promise<void>

  readonly findReceipts: (environment: string, filter: ReceiptFilter) => Promise<readonly Receipt[]>
  /** Newest things last. Empty if there is no such receipt. */
  readonly timeline: (environment: string, receiptId: string) => Promise<readonly TimelineEntry[]>
  /** The exact bytes and headers of a receipt, or undefined once they were pruned. Rejects if they are encrypted and cannot be opened. */
  readonly readBody: (environment: string, receiptId: string) => Promise<StoredBody | undefined>
  /** What was left out of the bodies of these receipts before they were stored; nothing is said of those that are whole. */
  readonly readRedactions: (environment: string, receiptIds: readonly string[]) => Promise<readonly StoredRedaction[]>
  /** All that handlers may ask for, as a claim would give it, without claiming. Undefined if there is no such receipt. */
  readonly readReceipt: (environment: string, receiptId: string) => Promise<ReadReceipt | undefined>
  /** Puts receipts back into the queue and records who did it and why. What is in the queue already is left alone. Answers with their ids. */
  readonly replay: (environment: string, filter: ReceiptFilter, note: ReplayNote) => Promise<readonly string[]>
  readonly counts: (environment: string) => Promise<readonly StatusCount[]>
  /** What came again since then, by source. The work grows with the copies, not with the ledger. */
  readonly retryPatterns: (environment: string, question: RetryQuestion) => Promise<readonly CountedRetries[]>
  /** How things stand. However long the ledger is, this takes a moment. */
  readonly health: (environment: string) => Promise<HealthReport>
  /** How things stand, cheap enough to be asked every few seconds however long the ledger and the queue are. */
  readonly gauges: (environment: string) => Promise<Gauges>
  /** What the database says of itself and of our tables. Changes nothing, and works without tables too. */
  readonly inspect: (options: InspectOptions) => Promise<Inspection>

  readonly outbox: OutboxStore
  readonly meters: MeterStore
  readonly upkeep: UpkeepStore
  readonly retention: RetentionStore
  readonly recovery: RecoveryStore
  readonly shadow: ShadowStore
  readonly sealed: SealedStore
  readonly alerts: AlertStore
  readonly datastore: DatastoreStore
  readonly overview: OverviewStore
  readonly adminLog: AdminLogStore
  readonly adminSessions: AdminSessionStore
  readonly captures: CaptureStore
  readonly automations: AutomationStore

  /** Tells this ledger from any other, and from itself before it was restored or emptied. The same for every process that uses it. */
  readonly ledgerName: () => Promise<string>

  /** Tells other processes that something is due. */
  readonly wakeOthers: () => Promise<void>
  /** Calls back whenever another process says that something is due. `poll`: this database cannot tell, so ask it now and then. */
  readonly listen: (
    onWake: () => void,
  ) => Promise<{ readonly kind: 'listening' | 'alone' | 'poll'; readonly stop: () => Promise<void> }>
  /** What this store really survives, for people. */
  readonly durability: () => Promise<DurabilityReport>
  /** Lets go of what this store opened itself. */
  readonly close: () => Promise<void>
}

/** What can be done inside one transaction. */
export type StoreTransaction<Tx> = {
  /** `busy` at once if another transaction is running this event. Until this transaction ends, others are told the same. */
  readonly recordReceipt: (receipt: NewReceipt) => Promise<Recorded>
  /** The same for several, at most 30: PostgreSQL has room for so many locks. Answers in the order given. */
  readonly recordReceipts: (receipts: readonly NewReceipt[]) => Promise<readonly Recorded[]>
  /**
   * Runs a user's code with the user's own transaction object, which is dead once this settles.
   * Rejects if the code ended the transaction, swallowed a failed statement, left statements running or did not settle in time;
   * nothing of it is then committed, and after a timeout the connection is gone.
   */
  readonly runHandler: <Result>(run: (tx: Tx) => Promise<Result>, limits: RunLimits) => Promise<Result>
  /**
   * The same for one of several that share this transaction: if it fails, only what it did is undone, and the next one can run.
   * A misuse that only shows at the end (a failed statement that was swallowed) fails the transaction.
   */
  readonly runShared: <Result>(run: (tx: Tx) => Promise<Result>, limits: RunLimits) => Promise<Result>
  /** The same, but without a way to undo it alone: if one fails, all of them do. */
  readonly runTogether: <Result>(run: (tx: Tx) => Promise<Result>, limits: RunLimits) => Promise<Result>
  /**
   * For handlers that run together at once, each of which has a place of its own. The transaction is as if they had run one after another, or
   * it fails. Undefined where the library has nothing to make that faster.
   */
  readonly beside?: (() => Beside<Tx>) | undefined
  /** Made when they are first asked for, because few handlers have any. */
  readonly effects: () => EffectTransaction
  /** One of several handlers is done. False if the lease was lost: the caller must then roll back. */
  readonly completeHandler: (lease: Lease, run: HandlerRun, ending?: Ending) => Promise<boolean>
  /**
   * All is done, and out of the queue. False if the lease was lost: the caller must then roll back.
   * The receipt ends as `stale` if one of its handlers did, as `same_change` if all did.
   */
  readonly completeReceipt: (lease: Lease, run: HandlerRun, ending?: Ending) => Promise<boolean>
  /** The same at the end of the transaction, with its commit: a lost lease makes the transaction reject with `ONCEHOOK_LEASE_LOST`. */
  readonly finishReceipt: (lease: Lease, run: HandlerRun, ending?: Ending) => Promise<void>
  /** The same for many receipts at once, none of which has other handlers. */
  readonly finishReceipts: (completed: readonly CompletedReceipt[]) => Promise<void>
  /** At the end of the transaction, with its commit: all is done of receipts that were never queued, each of which has one handler. */
  readonly finishInlines: (completed: readonly CompletedInline[]) => Promise<void>
  /** The same at the end of a transaction for work that was never queued. `queue` puts it into the queue for handlers that run there. */
  readonly finishInline: (completion: InlineCompletion) => Promise<void>
}

/** Where a handler runs: how, and the effects of its transaction. */
export type RunPlace<Tx> = {
  readonly run: StoreTransaction<Tx>['runHandler']
  readonly effects: () => EffectTransaction
}

/** The place of one of several handlers that run at once: as with `runTogether`. */
export type Beside<Tx> = RunPlace<Tx> & {
  /** True if its handler did nothing but send its statements, all of them at once, and wait for the answers. */
  readonly wasBrief: () => boolean
}

export type InlineCompletion = {
  readonly receiptId: string
  readonly key: EventKey
  readonly runs: readonly HandlerRun[]
  readonly next: Ending | 'queue'
  /** Of each run, if the queue goes on with the event. */
  readonly endings: readonly Ending[]
}

export type CompletedReceipt = { readonly lease: Lease; readonly run: HandlerRun; readonly ending: Ending }

export type CompletedInline = {
  readonly receiptId: string
  readonly key: EventKey
  readonly run: HandlerRun
  readonly ending: Ending
}

export type RunLimits = {
  readonly handler: string
  readonly timeoutSeconds: number
  /** Nothing but the completion follows: what is found out about the handler's misuse of the transaction then comes with the commit. */
  readonly isLast?: boolean
  /** Aborted when the time is up or the worker stops for good. */
  readonly abort: Pick<AbortController, 'abort' | 'signal'>
}

/** A claim's proof. A higher fence for the same receipt makes this one worthless. */
export type Lease = { readonly receiptId: string; readonly fence: string }

export type ClaimScope = {
  readonly environment: string
  readonly sources: readonly string[]
  /** Receipts that this worker leaves to others, because it has no handler for them. */
  readonly except?: readonly string[]
}

export type ClaimRequest = ClaimScope & {
  readonly worker: string
  readonly limit: number
  readonly leaseSeconds: number
}

/** An event in a worker's hands, with all that its handlers may ask for. */
export type Claim = EventKey & {
  readonly lease: Lease
  readonly event: IdentifiedEvent
  /** 1 for the first. */
  readonly attempt: number
  readonly receivedAt: Date
  /** How long ago it was received, by the database's clock. */
  readonly ageSeconds: number
  /** By this process's monotonic clock, in milliseconds. */
  readonly claimedAt: number
  /** The worker that had it before and let its lease run out. */
  readonly abandonedBy: string | undefined
  readonly completedHandlers: readonly string[]
  /** Undefined once it was pruned. */
  readonly body: StoredBody | undefined
  /** Of the delivery it came with, also once the body was pruned. */
  readonly bodyId: string
}

export type ReadReceipt = Pick<Claim, 'event' | 'completedHandlers' | 'body' | 'bodyId'>

/** A handler run as it goes into the attempt log. */
export type HandlerRun = Omit<Attempt, 'startedAt' | 'endedAt'> & {
  readonly tookMilliseconds: number
  /** What the endpoint answered that the event was forwarded to. Told to listeners, and not stored. */
  readonly answerStatus?: number | undefined
}

export type Later = {
  readonly seconds: number
  /** `retrying` counts as an attempt, `deferred` does not. */
  readonly kind: 'retrying' | 'deferred'
  readonly error: string
  readonly runs: readonly HandlerRun[]
}

export type RetryQuestion = {
  /** Undefined: every source. */
  readonly source: string | undefined
  readonly since: Date
  readonly limits: readonly RetryLimits[]
}

/** Who replays, and why. */
export type ReplayNote = { readonly by: string; readonly why: string }

/** How many receipts of a source have a status. */
export type StatusCount = { readonly source: string; readonly status: Receipt['status']; readonly count: number }

/** Which version the tables had, and which they have. */
export type MigrationReport = { readonly from: number; readonly to: number }
