import { Pool } from 'pg'

export const pool = new Pool({ connectionString: process.env.DATABASE_URL })

/** In your app this is a migration. There is no unique key, because one would hide a build that is started twice. */
export async function createTables(): Promise<void> {
  await pool.query('create table if not exists builds (event_id text, repository text, branch text, commit text)')
}
