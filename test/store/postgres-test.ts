import { Pool } from 'pg'
import { type PgTransaction, postgresStore } from '../../src/store/postgres/postgres-store.ts'
import type { Store } from '../../src/store/store.ts'
import { test as base, type TestDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'

/** A store on a user's pool without a listener or a limit of its own, as most are. */
export const test = base.extend<{ readonly pool: Pool; readonly store: Store<PgTransaction> }>({
  pool: async ({ database }, use) => {
    const pool = new Pool({ connectionString: database.url, max: 4, application_name: database.schema })
    await use(pool)
    await pool.end()
  },
  store: async ({ database, pool }, use) => {
    const store = postgresStore(pool, { schema: database.schema, connectionTimeoutSeconds: 0.5 })
    await store.migrate()
    await database.query(`create table "${database.schema}".app_effects (event text not null)`)
    await use(store)
    await store.close()
  },
})

/** Ends every connection of the store's pool. */
export async function terminateAll({ query, schema }: TestDatabase): Promise<void> {
  await query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [schema])
  await until(
    () => query('select pid from pg_stat_activity where application_name = $1', [schema]),
    (rows) => rows.length === 0,
  )
}
