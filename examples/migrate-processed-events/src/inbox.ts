import { createInbox, permanent } from 'oncehook'
import { postgresStore } from 'oncehook/postgres'
import { stripe } from 'oncehook/providers/stripe'
import { pool } from './database.ts'

export const inbox = createInbox({
  store: postgresStore(pool),
  sources: { stripe: stripe({ secret: process.env.STRIPE_WEBHOOK_SECRET }) },
})

/** The work of the old handler, and nothing else: what was seen is Oncehook's business now. */
inbox.on('stripe', 'invoice.paid', async ({ id, payload }, { tx }) => {
  const amount = payload.data.object?.amount_paid
  if (typeof amount !== 'number') throw permanent(new Error('The invoice does not say what was paid.'))
  await tx.query('insert into payments (event_id, amount) values ($1, $2)', [id, amount])
})
