import { createInbox } from 'oncehook'
import { postgresStore } from 'oncehook/postgres'
import { stripe } from 'oncehook/providers/stripe'
import { Pool } from 'pg'

export const pool = new Pool({ connectionString: process.env.DATABASE_URL })

/** Both processes have the same inbox: the receiver has to know which events somebody waits for. */
export const inbox = createInbox({
  store: postgresStore(pool),
  sources: { stripe: stripe({ secret: process.env.STRIPE_WEBHOOK_SECRET }) },
  mode: 'queued',
  // What a killed worker held is taken over after this time.
  worker: { leaseSeconds: 5 },
})

inbox.on('stripe', 'invoice.paid', async ({ id, payload }, { tx }) => {
  const { amount_paid: amount } = payload.data.object
  await tx.query('insert into payments (event_id, amount) values ($1, $2)', [id, amount])
})

/** In your app this is a migration. There is no unique key, because one would hide a payment that is booked twice. */
export async function createTables(): Promise<void> {
  await pool.query(`
    select pg_advisory_xact_lock(1);
    create table if not exists payments (event_id text, amount int)`)
}
