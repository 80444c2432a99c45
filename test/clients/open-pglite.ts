import { type PGliteTransaction, pgliteStore } from '../../src/store/pglite/pglite-store.ts'
import type { OpenClient } from './client-under-test.ts'

export const open: OpenClient<PGliteTransaction> = async ({ directory, schema }) => {
  const store = pgliteStore(directory, { schema })
  return {
    store,
    insert: (tx, eventId) => tx.query(`insert into "${schema}".client_effects (event_id) values ($1)`, [eventId]),
    execute: (tx, text) => tx.query(text),
    commit: (tx) => tx.query('commit'),
    query: async <Row>(text: string) => (await store.database().query<Row>(text)).rows,
    close: async () => {},
  }
}
