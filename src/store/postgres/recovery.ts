import type { RecoveryStore } from '../recovery-store.ts'
import type { Database } from './database.ts'
import { importRows, previewImport } from './import-table.ts'
import { resolveTable } from './legacy-table.ts'
import { coveredObjects, knownEvents, queuedEvents, recordHistory } from './record-history.ts'
import { findRuns, finishRun, openRun, releaseRun, renewRun, saveRun } from './recovery-runs.ts'
import type { SqlClient } from './sql-client.ts'
import { readWatches, saveWatches } from './watches.ts'

/** What the ledger takes over from elsewhere, in PostgreSQL. */
export function recoveryStore<Tx>(client: SqlClient<Tx>, database: Database): RecoveryStore {
  const { query: _, ...shared } = database
  const { schema } = shared
  return {
    openRun: (request) => openRun(database, request),
    finishRun: (run) => finishRun(database, run),
    renewRun: (run) => renewRun(database, run),
    saveRun: (run, progress) => saveRun(database, run, progress),
    releaseRun: (run) => releaseRun(database, run),
    findRuns: (environment, filter) => findRuns(database, environment, filter),
    knownEvents: (environment, source, eventIds) => knownEvents(database, environment, { source, eventIds }),
    coveredObjects: (environment, source, objects) => coveredObjects(database, environment, { source, objects }),
    recordHistory: (step) => recordHistory(client, shared, step),
    queuedEvents: (environment, source, atMost) => queuedEvents(database, environment, { source, atMost }),
    readWatches: (environment, sources) => readWatches(database, environment, sources),
    saveWatches: (environment, watches) => saveWatches(database, environment, watches),
    // A table of the user's that is missing is not one of ours.
    resolveTable: (wish) => resolveTable(client.query, wish),
    previewImport: (batch) => previewImport(client.query, schema, batch),
    importRows: (step) => importRows(client, schema, step),
  }
}
