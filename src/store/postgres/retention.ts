import type { RetentionStore } from '../retention-store.ts'
import { prepareBodyDays } from './body-partitions.ts'
import type { Database } from './database.ts'

/** What upkeep does to the tables in PostgreSQL. */
export function retentionStore(database: Database): RetentionStore {
  return { prepareBodyDays: (lease) => prepareBodyDays(database, lease) }
}
