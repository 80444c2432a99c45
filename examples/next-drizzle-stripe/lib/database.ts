import { drizzle } from 'drizzle-orm/node-postgres'
import { Pool } from 'pg'

const pool = new Pool({ connectionString: process.env.DATABASE_URL })

export const database = drizzle(pool)

/** In your app this is "drizzle-kit migrate". */
export async function createTables(): Promise<void> {
  await pool.query(`
    select pg_advisory_xact_lock(1);
    create table if not exists accounts (customer text primary key, is_unlocked boolean not null);
    create table if not exists payments (event_id text not null, customer text not null, amount int not null);
    create table if not exists invoices (id text primary key, status text not null, amount int not null);
    create table if not exists subscriptions (id text primary key, status text not null)`)
}

export async function closeDatabase(): Promise<void> {
  await pool.end()
}
