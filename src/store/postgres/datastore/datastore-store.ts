import type { DatastoreStore, DatastoreTransaction, DatastoreVerbs } from '../../datastore-store.ts'
import type { Database } from '../database.ts'
import { removeExpired } from './expired.ts'
import { namespaces, page } from './pages.ts'
import { lock, read, remove, write } from './values.ts'

/** The datastore of a store in PostgreSQL. */
export function datastoreStore(database: Database): DatastoreStore {
  return { ...verbs(database), removeExpired: (lease, limit) => removeExpired(database, lease, limit) }
}

/** The same inside one transaction. */
export function datastoreTransaction(database: Database): DatastoreTransaction {
  return { ...verbs(database), lock: (place) => lock(database, place) }
}

function verbs(database: Database): DatastoreVerbs {
  return {
    read: (place) => read(database, place),
    write: (value) => write(database, value),
    remove: (place, version) => remove(database, place, version),
    page: (question) => page(database, question),
    namespaces: (question) => namespaces(database, question),
  }
}
