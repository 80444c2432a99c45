import type { Store } from '../store.ts'
import { createLibraryStore, hasMethods, type LibraryStoreOptions } from './clients/library-store.ts'
import { createTypeormClient, type TypeormDataSource } from './clients/typeorm-client.ts'

export type { LibraryStoreOptions } from './clients/library-store.ts'
export type { TypeormDataSource } from './clients/typeorm-client.ts'

/**
 * Receipts in a PostgreSQL, by way of TypeORM. Handlers get an `EntityManager` as `tx`. The DataSource stays yours, and has to be
 * initialized before the store is first used.
 *
 *     const store = typeormStore(await new DataSource({ type: 'postgres', url, entities }).initialize())
 */
export function typeormStore<Manager>(
  dataSource: TypeormDataSource<Manager>,
  options: LibraryStoreOptions = {},
): Store<Manager> {
  const { options: given } = (dataSource ?? {}) as { readonly options?: { readonly type?: string } }
  const isDataSource = hasMethods(dataSource, ['createQueryRunner']) && given?.type === 'postgres'
  return createLibraryStore<Manager>({
    caller: 'typeormStore',
    name: 'typeorm',
    mistakes: isDataSource ? [] : ['the first argument is no DataSource of type "postgres".'],
    options,
    createClient: (limits) => createTypeormClient(dataSource, limits),
  })
}
