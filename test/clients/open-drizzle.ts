import { sql } from 'drizzle-orm'
import { drizzle as drizzleOverPg, type NodePgTransaction } from 'drizzle-orm/node-postgres'
import { pgSchema, serial, text } from 'drizzle-orm/pg-core'
import { drizzle as drizzleOverPostgresJs, type PostgresJsTransaction } from 'drizzle-orm/postgres-js'
import type { ExtractTablesWithRelations } from 'drizzle-orm/relations'
import { Pool } from 'pg'
import postgres from 'postgres'
import { drizzleStore } from '../../src/store/postgres/drizzle-store.ts'
import { type ClientUnderTest, type OpenClient, openWindow } from './client-under-test.ts'

type NoTables = Record<string, never>
export type OverPg = NodePgTransaction<NoTables, ExtractTablesWithRelations<NoTables>>
export type OverPostgresJs = PostgresJsTransaction<NoTables, ExtractTablesWithRelations<NoTables>>

export const open: OpenClient<OverPg> = async ({ url, schema }) => {
  const pool = new Pool({ connectionString: url })
  const window = await openWindow(url)
  return {
    store: drizzleStore(drizzleOverPg(pool), { schema }),
    ...waysOf<OverPg>(schema),
    nested: (tx, work) => tx.transaction(work),
    query: window.query,
    close: async () => {
      await pool.end()
      await window.close()
    },
  }
}

export const openOverPostgresJs: OpenClient<OverPostgresJs> = async ({ url, schema }) => {
  const client = postgres(url, { onnotice: () => {} })
  const window = await openWindow(url)
  return {
    store: drizzleStore(drizzleOverPostgresJs(client), { schema }),
    ...waysOf<OverPostgresJs>(schema),
    nested: (tx, work) => tx.transaction(work),
    forgivesOnlyNested: true,
    query: window.query,
    close: async () => {
      // After a lost connection it would wait for ever.
      await client.end({ timeout: 1 })
      await window.close()
    },
  }
}

type Ways<Tx> = Pick<ClientUnderTest<Tx>, 'insert' | 'insertLater' | 'execute' | 'commit'>

function waysOf<Tx extends OverPg | OverPostgresJs>(schema: string): Ways<Tx> {
  const effects = pgSchema(schema).table('client_effects', { id: serial().primaryKey(), eventId: text('event_id') })
  return {
    insert: async (tx, eventId) => await tx.insert(effects).values({ eventId }),
    insertLater: (tx, eventId) => {
      const query = tx.insert(effects).values({ eventId })
      return async () => await query
    },
    execute: async (tx, text) => await tx.execute(sql.raw(text)),
    commit: async (tx) => await tx.execute(sql`commit`),
  }
}
