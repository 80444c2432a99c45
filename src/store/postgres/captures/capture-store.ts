import type { CaptureStore } from '../../capture-store.ts'
import type { Database } from '../database.ts'
import type { SqlClient } from '../sql-client.ts'
import { deleteEndpoint, findEndpoints, putEndpoint } from './endpoints.ts'
import { findCaptures, readCapture } from './find.ts'
import { changeAnswer, recordCapture } from './record.ts'
import { clearCaptures, deleteCapture, pruneCaptures } from './remove.ts'
import { beginReplay, endReplay, findReplays, readReplay } from './replays.ts'
import { putRules, readRules } from './rules.ts'

/** Captures of a store in PostgreSQL. */
export function captureStore<Tx>(database: Database, client: Pick<SqlClient<Tx>, 'transaction'>): CaptureStore {
  return {
    putEndpoint: (endpoint, mostEndpoints) => putEndpoint(database, endpoint, mostEndpoints),
    findEndpoints: (environment) => findEndpoints(database, environment),
    deleteEndpoint: (environment, name) => deleteEndpoint(client, database, { environment, name }),
    readRules: (environment, endpoint) => readRules(database, { environment, name: endpoint }),
    putRules: (rules) => putRules(client, database, rules),
    record: (arrival, decide) => recordCapture(client, database, { arrival, decide }),
    changeAnswer: (change) => changeAnswer(database, change),
    find: (environment, filter) => findCaptures(database, environment, filter),
    read: (environment, id) => readCapture(database, environment, id),
    delete: (environment, id) => deleteCapture(client, database, { environment, id }),
    clear: (environment, endpoint) => clearCaptures(client, database, { environment, name: endpoint }),
    prune: (environment) => pruneCaptures(client, database, environment),
    beginReplay: (replay) => beginReplay(database, replay),
    endReplay: (environment, id, results) => endReplay(database, environment, { id, results }),
    findReplays: (environment, page) => findReplays(database, environment, page),
    readReplay: (environment, id) => readReplay(database, environment, id),
  }
}
