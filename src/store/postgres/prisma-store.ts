import type { Store } from '../store.ts'
import { createLibraryStore, hasMethods, type LibraryStoreOptions } from './clients/library-store.ts'
import { createPrismaClient, type PrismaDatabase } from './clients/prisma-client.ts'

export type { LibraryStoreOptions } from './clients/library-store.ts'
export type { PrismaDatabase, PrismaTransactionOptions } from './clients/prisma-client.ts'

/**
 * Receipts in a PostgreSQL, by way of Prisma. Handlers get a `Prisma.TransactionClient` as `tx`. The client stays yours.
 *
 *     const store = prismaStore(new PrismaClient({ adapter: new PrismaPg({ connectionString }) }))
 */
export function prismaStore<Transaction>(
  database: PrismaDatabase<Transaction>,
  options: LibraryStoreOptions = {},
): Store<Transaction> {
  const isClient = hasMethods(database, ['$transaction', '$queryRawUnsafe'])
  return createLibraryStore<Transaction>({
    caller: 'prismaStore',
    name: 'prisma',
    mistakes: isClient ? [] : ['the first argument is no PrismaClient.'],
    options,
    createClient: (limits) => createPrismaClient(database, limits),
  })
}
