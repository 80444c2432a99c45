import knex, { type Knex } from 'knex'
import { knexStore } from '../../src/store/postgres/knex-store.ts'
import { type OpenClient, openWindow } from './client-under-test.ts'

/** Knex warns of connections that are ended on purpose. */
const log = { warn: () => {}, error: () => {}, deprecate: () => {}, debug: () => {} }

export const open: OpenClient<Knex.Transaction> = async ({ url, schema }) => {
  const instance = knex.default({ client: 'pg', connection: url, pool: { min: 0, max: 10 }, log })
  const window = await openWindow(url)
  return {
    store: knexStore(instance, { schema }),
    insert: async (tx, eventId) => await tx('client_effects').withSchema(schema).insert({ event_id: eventId }),
    insertLater: (tx, eventId) => {
      const query = tx('client_effects').withSchema(schema).insert({ event_id: eventId })
      return async () => await query
    },
    execute: async (tx, text) => await tx.raw(text),
    nested: (tx, work) => tx.transaction(work),
    commit: async (tx) => await tx.commit(),
    query: window.query,
    close: async () => {
      await instance.destroy()
      await window.close()
    },
  }
}
