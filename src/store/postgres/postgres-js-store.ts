import type { Store } from '../store.ts'
import { createLibraryStore, hasMethods, type LibraryStoreOptions } from './clients/library-store.ts'
import { createPostgresJsClient, type PostgresJs } from './clients/postgres-js-client.ts'

export type { LibraryStoreOptions } from './clients/library-store.ts'
export type { PostgresJs } from './clients/postgres-js-client.ts'

/**
 * Receipts in a PostgreSQL, by way of `postgres` (postgres.js). Handlers get a `TransactionSql` as `tx`. The instance stays yours.
 *
 *     const store = postgresJsStore(postgres(connectionString))
 */
export function postgresJsStore<Transaction>(
  sql: PostgresJs<Transaction>,
  options: LibraryStoreOptions = {},
): Store<Transaction> {
  return createLibraryStore<Transaction>({
    caller: 'postgresJsStore',
    name: 'postgres-js',
    mistakes: hasMethods(sql, ['unsafe', 'begin', 'listen'])
      ? []
      : ['the first argument is no instance of "postgres".'],
    options,
    createClient: (limits) => createPostgresJsClient(sql, limits),
  })
}
