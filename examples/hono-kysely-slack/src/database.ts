import { type Generated, Kysely, PostgresDialect } from 'kysely'
import { Pool } from 'pg'

export type Tables = {
  readonly mentions: { id: Generated<number>; event_id: string; channel: string; user_id: string; text: string }
}

export const database = new Kysely<Tables>({
  dialect: new PostgresDialect({ pool: new Pool({ connectionString: process.env.DATABASE_URL }) }),
})

/** In your app this is a migration. The event is not unique: that would hide a mention that is answered twice. */
export async function createTables(): Promise<void> {
  await database.schema
    .createTable('mentions')
    .ifNotExists()
    .addColumn('id', 'serial', (column) => column.primaryKey())
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .execute()
}
