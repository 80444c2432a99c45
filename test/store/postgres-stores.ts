import { type PgTransaction, postgresStore } from '../../src/store/postgres/postgres-store.ts'
import type { Store } from '../../src/store/store.ts'
import { test as base, type TestDatabase } from '../support/database.ts'

type Stores = (count: number) => Promise<readonly Store<PgTransaction>[]>

/** Several stores on one schema, each with a pool of its own, as several processes would have. */
export const test = base.extend<{ readonly stores: Stores }>({
  stores: async ({ database }, use) => {
    const made: Store<PgTransaction>[] = []
    await use(async (count) => {
      const stores = Array.from({ length: count }, () =>
        postgresStore(database.url, { schema: database.schema, maximumConnections: 5 }),
      )
      made.push(...stores)
      await stores[0]?.migrate()
      return stores
    })
    await Promise.all(made.map((store) => store.close()))
  },
})

export async function count({ query, schema }: TestDatabase, table: string): Promise<number> {
  const [row] = await query<{ count: number }>(`select count(*)::int as count from "${schema}".${table}`)
  return row?.count ?? -1
}
