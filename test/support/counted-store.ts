import { Pool } from 'pg'
import { type PgTransaction, postgresStore } from '../../src/store/postgres/postgres-store.ts'
import type { Store } from '../../src/store/store.ts'
import type { TestDatabase } from './database.ts'

/** A store on one connection, so that the database can say what that connection has read. */
export type CountedStore = {
  readonly store: Store<PgTransaction>
  /** The pages of a table and its indexes that the work had to look at, whether they were in memory or not. */
  readonly pagesRead: (table: string, work: () => Promise<unknown>) => Promise<number>
  readonly close: () => Promise<void>
}

export function createCountedStore({ url, schema }: TestDatabase): CountedStore {
  const pool = new Pool({ connectionString: url, max: 1 })
  const read = async (table: string): Promise<number> => {
    // Figures reach the views when a connection comes to rest, and else only now and then.
    await pool.query('select pg_stat_force_next_flush()')
    const { rows } = await pool.query<{ pages: number }>(
      `select (heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit)::int as pages
       from pg_statio_user_tables where schemaname = $1 and relname = $2`,
      [schema, table],
    )
    return rows[0]?.pages ?? 0
  }
  return {
    store: postgresStore(pool, { schema }),
    async pagesRead(table, work) {
      const before = await read(table)
      await work()
      return (await read(table)) - before
    },
    close: () => pool.end(),
  }
}
