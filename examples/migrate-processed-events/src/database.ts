import { Pool } from 'pg'

export const pool = new Pool({ connectionString: process.env.DATABASE_URL })

/** The tables as the old handler has them. */
export async function createTables(): Promise<void> {
  await pool.query(`
    create table if not exists processed_events (
      event_id text primary key, type text not null, processed_at timestamptz not null default now()
    );
    create table if not exists payments (event_id text, amount int)`)
}
