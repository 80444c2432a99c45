// The handler of seed 000 on Express: the dedup row and the effect in one transaction, then 200.
import { createHash } from 'node:crypto'
import express from 'express'
import { Pool } from 'pg'
import { serve } from '../contenders/serve.mjs'
import { isFromStripe } from '../contenders/verify-stripe.mjs'

const secret = process.env.STRIPE_WEBHOOK_SECRET
const pool = new Pool({ connectionString: process.env.DATABASE_URL })
await pool.query(`
  CREATE TABLE processed_events (
    provider text NOT NULL,
    event_id text NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    event_type text,
    payload_hash text,
    PRIMARY KEY (provider, event_id)
  );
  CREATE INDEX processed_events_received_at_idx ON processed_events (received_at)`)

async function transaction(work) {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await work(client)
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  } finally {
    client.release()
  }
}

const hashPayload = (payload) => createHash('sha256').update(JSON.stringify(payload)).digest('hex')

async function handleStripeWebhook(event) {
  await transaction(async (tx) => {
    const { rows } = await tx.query(
      `INSERT INTO processed_events
        (provider, event_id, event_type, payload_hash)
        VALUES ($1, $2, $3, $4)
        ON CONFLICT (provider, event_id) DO NOTHING
        RETURNING received_at`,
      ['stripe', event.id, event.type, hashPayload(event.data.object)],
    )
    if (rows.length === 0) return
    await tx.query('insert into effects (event_id, amount) values ($1, $2)', [event.id, event.data.object.amount_paid])
  })
}

const app = express()
app.post('/in/stripe', express.raw({ type: 'application/json' }), async (request, response) => {
  if (!isFromStripe(request.get('stripe-signature'), request.body, secret)) {
    response.status(401).send('invalid signature')
    return
  }
  await handleStripeWebhook(JSON.parse(request.body.toString()))
  response.status(200).send('OK')
})
serve(app)
