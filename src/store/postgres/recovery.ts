import type { RecoveryStore } from '../recovery-store.ts'
import type { Database } from './database.ts'
import { importRows, previewImport } from './import-table.ts'
import { resolveTable } from './legacy-table.ts'
import { findRuns, finishRun, openRun, releaseRun } from './recovery-runs.ts'
import type { SqlClient } from './sql-client.ts'

/** What the ledger takes over from elsewhere, in PostgreSQL. */
export function recoveryStore<Tx>(client: SqlClient<Tx>, database: Database): RecoveryStore {
  const { schema } = database
  return {
    openRun: (request) => openRun(database, request),
    finishRun: (run) => finishRun(database, run),
    releaseRun: (run) => releaseRun(database, run),
    findRuns: (environment, filter) => findRuns(database, environment, filter),
    // A table of the user's that is missing is not one of ours.
    resolveTable: (wish) => resolveTable(client.query, wish),
    previewImport: (batch) => previewImport(client.query, schema, batch),
    importRows: (step) => importRows(client, schema, step),
  }
}
