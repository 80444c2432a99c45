import { type Generated, Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import { Pool } from 'pg'
import { kyselyStore } from '../../src/store/postgres/kysely-store.ts'
import { type OpenClient, openWindow } from './client-under-test.ts'

export type Tables = { client_effects: { id: Generated<number>; event_id: string } }

export const open: OpenClient<Transaction<Tables>> = async ({ url, schema }) => {
  const pool = new Pool({ connectionString: url })
  // Kysely has no listener of its own, so that a connection that the server ends would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const window = await openWindow(url)
  return {
    store: kyselyStore(kysely, { schema }),
    insert: (tx, eventId) => tx.withSchema(schema).insertInto('client_effects').values({ event_id: eventId }).execute(),
    insertLater: (tx, eventId) => {
      const query = tx.withSchema(schema).insertInto('client_effects').values({ event_id: eventId })
      return () => query.execute()
    },
    execute: async (tx, text) => await sql.raw(text).execute(tx),
    commit: (tx) => sql`commit`.execute(tx),
    query: window.query,
    close: async () => {
      await kysely.destroy()
      await window.close()
    },
  }
}
