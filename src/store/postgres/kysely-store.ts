import type { Store } from '../store.ts'
import { createKyselyClient, type KyselyDatabase } from './clients/kysely-client.ts'
import { createLibraryStore, hasMethods, type LibraryStoreOptions } from './clients/library-store.ts'

export type { KyselyDatabase, KyselyTransactionBuilder } from './clients/kysely-client.ts'
export type { LibraryStoreOptions } from './clients/library-store.ts'

/**
 * Receipts in a PostgreSQL, by way of Kysely with its PostgresDialect. Handlers get a `Transaction<DB>` as `tx`. The instance stays yours.
 *
 *     const store = kyselyStore(new Kysely<DB>({ dialect: new PostgresDialect({ pool }) }))
 */
export function kyselyStore<Transaction>(
  database: KyselyDatabase<Transaction>,
  options: LibraryStoreOptions = {},
): Store<Transaction> {
  return createLibraryStore<Transaction>({
    caller: 'kyselyStore',
    name: 'kysely',
    mistakes: hasMethods(database, ['transaction', 'getExecutor']) ? [] : ['the first argument is no Kysely.'],
    options,
    createClient: (limits) => createKyselyClient(database, limits),
  })
}
