import type { NotedDelivery, Receipt, ReceiptFilter } from '../receipt/receipt.ts'
import type { TrafficTally } from '../receipt/traffic-log.ts'
import type { LedgerSize, SourceHealth } from './health.ts'

/** What people look at. However long the ledger is, each of these takes a moment. */
export type OverviewStore = {
  /** Adds to the counts of this minute, by the database's clock. */
  readonly addTraffic: (environment: string, tallies: readonly TrafficTally[]) => Promise<void>
  /** Counts of the last minutes, oldest first, in stretches of equal length; those without traffic are there too. */
  readonly traffic: (environment: string, question: TrafficQuestion) => Promise<readonly TrafficBucket[]>
  /** How often things fail or come twice, over all sources, and how long the ledger is. */
  readonly rates: (environment: string) => Promise<Rates>
  /** The newest dead letters, those alike together; the largest group first. */
  readonly deadLetterGroups: (environment: string, source?: string) => Promise<DeadLetterGroups>
  /** The newest deliveries of a source that were not taken, as far as they were noted. */
  readonly refusals: (environment: string, source: string, limit: number) => Promise<readonly NotedDelivery[]>
  /** Receipts, newest first, for as long as a moment lasts. */
  readonly page: (environment: string, filter: PageFilter) => Promise<ReceiptPage>
}

/** Of the last hour, or of the newest deliveries where more came than are looked at. */
export type Rates = Pick<
  SourceHealth,
  'received' | 'duplicates' | 'firstAttempts' | 'firstAttemptsFailed' | 'baseline'
> & {
  readonly windowSeconds: number
  readonly ledger: LedgerSize
}

/** Which time is drawn, and how finely. */
export type TrafficQuestion = {
  readonly minutes: number
  readonly bucketSeconds: number
  readonly source?: string | undefined
}

/** What happened in one span of time. */
export type TrafficBucket = Omit<TrafficTally, 'source' | 'lagSum' | 'lagCount'> & {
  readonly at: Date
  /** From the receipt to the commit, on average; undefined if no queued run ended. */
  readonly lagMilliseconds: number | undefined
}

/** Dead letters by source, type and error. */
export type DeadLetterGroups = {
  readonly groups: readonly DeadLetterGroup[]
  /** False if only the newest were looked at. */
  readonly isComplete: boolean
}

/** Dead letters that failed in the same way. */
export type DeadLetterGroup = {
  readonly source: string
  readonly type: string
  /** Of the newest one; in others, numbers may differ. */
  readonly error: string
  readonly count: number
  readonly lastAt: Date
  /** The newest one. */
  readonly exampleId: string
}

/** Which receipts are meant, and how many at once. */
export type PageFilter = Omit<ReceiptFilter, 'limit' | 'id'> & {
  readonly limit: number
  /** A receipt id, event id, object id, delivery id or type. With `*` at the end: the beginning of a type. */
  readonly search?: string | undefined
}

/** What was found within a moment, and where to go on; it may be less than asked for, or nothing. */
export type ReceiptPage = {
  readonly receipts: readonly Receipt[]
  /** `beforeId` of the next page; undefined at the end of the ledger. */
  readonly next: string | undefined
}
