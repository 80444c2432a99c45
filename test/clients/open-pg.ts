import { Pool } from 'pg'
import { type PgTransaction, postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { type OpenClient, openWindow } from './client-under-test.ts'

export const open: OpenClient<PgTransaction> = async ({ url, schema }) => {
  const pool = new Pool({ connectionString: url })
  const window = await openWindow(url)
  return {
    store: postgresStore(pool, { schema }),
    insert: (tx, eventId) => tx.query(`insert into "${schema}".client_effects (event_id) values ($1)`, [eventId]),
    execute: (tx, text) => tx.query(text),
    commit: (tx) => tx.query('commit'),
    query: window.query,
    close: async () => {
      await pool.end()
      await window.close()
    },
  }
}
