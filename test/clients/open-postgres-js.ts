import postgres, { type TransactionSql } from 'postgres'
import { postgresJsStore } from '../../src/store/postgres/postgres-js-store.ts'
import { type OpenClient, openWindow } from './client-under-test.ts'

export const open: OpenClient<TransactionSql> = async ({ url, schema }) => {
  const sql = postgres(url, { onnotice: () => {} })
  const window = await openWindow(url)
  return {
    store: postgresJsStore(sql, { schema }),
    insert: async (tx, eventId) => await tx`insert into ${tx(schema)}.client_effects ${tx({ event_id: eventId })}`,
    insertLater: (tx, eventId) => {
      const query = tx`insert into ${tx(schema)}.client_effects ${tx({ event_id: eventId })}`
      return async () => await query
    },
    execute: async (tx, text) => await tx.unsafe(text),
    nested: (tx, work) => tx.savepoint(work),
    forgivesOnlyNested: true,
    commit: async (tx) => await tx`commit`,
    query: window.query,
    close: async () => {
      // After a lost connection it would wait for ever.
      await sql.end({ timeout: 1 })
      await window.close()
    },
  }
}
