import type { AutomationStore } from '../../automation-store.ts'
import type { Database } from '../database.ts'
import { deleteAutomation, listAutomations, readRevision, saveAutomation } from './definitions.ts'
import { findRuns, noteRun, pruneRuns, readRun } from './runs.ts'

/** Automations of a store in PostgreSQL. */
export function automationStore(database: Database): AutomationStore {
  return {
    revision: (environment) => readRevision(database, environment),
    list: (environment) => listAutomations(database, environment),
    save: (automation) => saveAutomation(database, automation),
    delete: (environment, name, by) => deleteAutomation(database, { environment, name, by }),
    noteRun: (run) => noteRun(database, run),
    findRuns: (environment, filter) => findRuns(database, environment, filter),
    readRun: (environment, id) => readRun(database, environment, id),
    pruneRuns: (lease, step) => pruneRuns(database, lease, step),
  }
}
