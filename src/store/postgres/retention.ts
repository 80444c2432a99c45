import type { RetentionStore } from '../retention-store.ts'
import { prepareBodyDays } from './body-partitions.ts'
import type { Database } from './database.ts'
import { deleteBodies, dropBodyDay, emptyBodyDay, keepNeededBodies, pastBodyDays } from './retention/body-days.ts'
import { keepKeys } from './retention/event-keys.ts'
import { hold, release } from './retention/holds.ts'
import { pruneKeptBodies } from './retention/kept-bodies.ts'
import { countDays, ledgerDays } from './retention/ledger-days.ts'
import { readPlace, savePlace } from './retention/place.ts'
import { pruneBodies } from './retention/prune-bodies.ts'
import { pruneLog } from './retention/prune-logs.ts'
import { countPrunable, pruneOverdue, pruneReceipts } from './retention/prune-receipts.ts'
import { readRules, removeRules, saveRules, survey } from './retention/rules.ts'

/** What upkeep removes from PostgreSQL, and what keeps it from doing so. */
export function retentionStore(database: Database): RetentionStore {
  return {
    saveRules: (lease, environment, rules) => saveRules(database, lease, { environment, rules }),
    removeRules: (lease, environment) => removeRules(database, lease, environment),
    readRules: (environment) => readRules(database, environment),
    survey: (ageDays) => survey(database, ageDays),
    pruneReceipts: (lease, step) => pruneReceipts(database, lease, step),
    pruneOverdue: (lease, step) => pruneOverdue(database, lease, step),
    keepKeys: (lease, step) => keepKeys(database, lease, step),
    pruneBodies: (lease, step) => pruneBodies(database, lease, step),
    pruneLog: (lease, table, step) => pruneLog(database, lease, { table, ...step }),
    countPrunable: (step) => countPrunable(database, step),
    prepareBodyDays: (lease) => prepareBodyDays(database, lease),
    countDays: (lease, limit) => countDays(database, lease, limit),
    pastBodyDays: () => pastBodyDays(database),
    keepNeededBodies: (lease, day, limit) => keepNeededBodies(database, lease, { ...day, limit }),
    emptyBodyDay: (lease, day) => emptyBodyDay(database, lease, day),
    deleteBodies: (lease, day, limit) => deleteBodies(database, lease, { ...day, limit }),
    dropBodyDay: (lease, day) => dropBodyDay(database, lease, day),
    pruneKeptBodies: (lease, step) => pruneKeptBodies(database, lease, step),
    readPlace: (lease) => readPlace(database, lease),
    savePlace: (lease, place) => savePlace(database, lease, place),
    hold: (environment, filter, note) => hold(database, { environment, filter, note }),
    release: (environment, filter, note) => release(database, { environment, filter, note }),
    days: (environment, days) => ledgerDays(database, environment, days),
  }
}
