import type { OverviewStore } from '../../overview-store.ts'
import type { Database } from '../database.ts'
import { deadLetterGroups } from './dead-letter-groups.ts'
import { pageOfReceipts } from './page.ts'
import { readRates } from './rates.ts'
import { findRefusals } from './refusals.ts'
import { addTraffic, readTraffic } from './traffic-minutes.ts'

/** What people look at, of a store in PostgreSQL. */
export function overviewStore(database: Database): OverviewStore {
  return {
    addTraffic: (environment, tallies) => addTraffic(database, environment, tallies),
    traffic: (environment, question) => readTraffic(database, environment, question),
    rates: (environment) => readRates(database, environment),
    deadLetterGroups: (environment, source) => deadLetterGroups(database, environment, source),
    refusals: (environment, source, limit) => findRefusals(database, environment, { source, limit }),
    page: (environment, filter) => pageOfReceipts(database, environment, filter),
  }
}
