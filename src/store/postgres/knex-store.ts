import type { Store } from '../store.ts'
import { createKnexClient, isKnexOverPg, type KnexDatabase } from './clients/knex-client.ts'
import { createLibraryStore, type LibraryStoreOptions } from './clients/library-store.ts'

export type { KnexDatabase, KnexTransactionConfig } from './clients/knex-client.ts'
export type { LibraryStoreOptions } from './clients/library-store.ts'

/**
 * Receipts in a PostgreSQL, by way of Knex with its client `pg`. Handlers get a `Knex.Transaction` as `tx`. The instance stays yours.
 *
 *     const store = knexStore(knex({ client: 'pg', connection: connectionString }))
 */
export function knexStore<Transaction>(
  database: KnexDatabase<Transaction>,
  options: LibraryStoreOptions = {},
): Store<Transaction> {
  return createLibraryStore<Transaction>({
    caller: 'knexStore',
    name: 'knex',
    mistakes: isKnexOverPg(database) ? [] : ['the first argument is no knex with the client "pg".'],
    options,
    createClient: (limits) => createKnexClient(database, limits),
  })
}
