import type { Store } from '../store.ts'
import {
  createDrizzlePgClient,
  createDrizzlePostgresJsClient,
  type DrizzleDatabase,
  driverOf,
} from './clients/drizzle-client.ts'
import { createLibraryStore, type LibraryStoreOptions } from './clients/library-store.ts'

export type { DrizzleDatabase } from './clients/drizzle-client.ts'
export type { LibraryStoreOptions } from './clients/library-store.ts'

/**
 * Receipts in a PostgreSQL, by way of Drizzle over node-postgres (with a Pool) or over postgres.js. Handlers get Drizzle's own
 * transaction as `tx`, with the types of your schema. The database stays yours.
 *
 *     const store = drizzleStore(drizzle(new Pool({ connectionString }), { schema }))
 */
export function drizzleStore<Transaction>(
  database: DrizzleDatabase<Transaction>,
  options: LibraryStoreOptions = {},
): Store<Transaction> {
  const driver = driverOf(database)
  return createLibraryStore<Transaction>({
    caller: 'drizzleStore',
    name: 'drizzle',
    mistakes:
      driver === undefined
        ? ['the first argument is no Drizzle database over a Pool of "pg" or over an instance of "postgres".']
        : [],
    options,
    createClient: (limits) => {
      if (driver?.kind === 'postgres-js') return createDrizzlePostgresJsClient(database, driver.sql, limits)
      if (driver?.kind === 'pg') return createDrizzlePgClient(database, driver.pool, limits)
      throw new TypeError('Without a driver there is no client.')
    },
  })
}
