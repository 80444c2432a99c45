import type { RequestHandler } from 'express'
import type Stripe from 'stripe'
import { pool } from './database.ts'
import { isSignedByStripe } from './old-signature.ts'

/**
 * WRONG, and found in many projects: it looks whether the event is known, does the work, and writes the event down.
 * Copies that come at the same moment all find nothing, and a crash before the last line makes the next copy work again.
 */
export const oldHandler: RequestHandler = async (request, response) => {
  const body: Buffer = request.body
  if (!isSignedByStripe(request.headers['stripe-signature'], body)) return void response.sendStatus(400)
  const event: Stripe.Event = JSON.parse(body.toString())
  const { rowCount } = await pool.query('select from processed_events where event_id = $1', [event.id])
  if (rowCount === 0) {
    if (event.type === 'invoice.paid') {
      const amount = event.data.object.amount_paid
      await pool.query('insert into payments (event_id, amount) values ($1, $2)', [event.id, amount])
    }
    await pool.query('insert into processed_events values ($1, $2) on conflict do nothing', [event.id, event.type])
  }
  response.sendStatus(200)
}
