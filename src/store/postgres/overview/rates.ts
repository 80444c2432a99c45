import type { Rates } from '../../overview-store.ts'
import type { Database } from '../database.ts'
import { duplicateBaseline } from '../health/duplicate-baseline.ts'
import { ledgerSize } from '../health/ledger-size.ts'
import { recentTraffic } from '../health/recent-traffic.ts'

/** No walk is longer: a rate of so many is as good as one of all, and everybody who looks asks for it every few seconds. */
const mostRows = 2000

/** The part of a health report that is about how it goes, of all sources together, without what waits and what failed. */
export async function readRates(database: Database, environment: string): Promise<Rates> {
  const { windowSeconds, sources } = await recentTraffic(database, environment, mostRows)
  const [baseline, ledger] = await Promise.all([
    duplicateBaseline(database, environment, windowSeconds),
    ledgerSize(database, mostRows),
  ])
  return {
    windowSeconds,
    received: sumOf(sources, ({ received }) => received),
    duplicates: sumOf(sources, ({ duplicates }) => duplicates),
    firstAttempts: sumOf(sources, ({ firstAttempts }) => firstAttempts),
    firstAttemptsFailed: sumOf(sources, ({ firstAttemptsFailed }) => firstAttemptsFailed),
    baseline: {
      deliveries: sumOf(baseline, ({ deliveries }) => deliveries),
      duplicates: sumOf(baseline, ({ duplicates }) => duplicates),
    },
    ledger,
  }
}

function sumOf<Item>(items: readonly Item[], numberOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + numberOf(item), 0)
}
