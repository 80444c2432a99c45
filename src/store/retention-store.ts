import type { UpkeepLease } from './upkeep-store.ts'

/** What upkeep does to the tables. Every verb checks the lease by itself: a process that lost it changes nothing. */
export type RetentionStore = {
  /** Makes the day partitions of bodies for today and the next days, where they are missing. Answers with how many it made. */
  readonly prepareBodyDays: (lease: UpkeepLease) => Promise<number>
}
