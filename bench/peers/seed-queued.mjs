// The handler of seed 004 on Express: verify, insert the receipt with its payload, answer 202. What the seed does next, to put it
// into some queue, is left out.
import express from 'express'
import { Pool } from 'pg'
import { serve } from '../contenders/serve.mjs'
import { isFromStripe } from '../contenders/verify-stripe.mjs'

const secret = process.env.STRIPE_WEBHOOK_SECRET
const pool = new Pool({ connectionString: process.env.DATABASE_URL })
await pool.query(`
  CREATE TABLE webhook_receipts (
    id BIGSERIAL PRIMARY KEY,
    provider TEXT NOT NULL,
    event_id TEXT NOT NULL,
    event_type TEXT NOT NULL,
    object_id TEXT,
    received_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    status TEXT NOT NULL CHECK (
      status IN ('received', 'processing', 'processed', 'retrying', 'failed')
    ),
    attempts INTEGER NOT NULL DEFAULT 0,
    next_attempt_at TIMESTAMPTZ,
    processed_at TIMESTAMPTZ,
    last_error TEXT,
    payload JSONB NOT NULL,
    UNIQUE (provider, event_id)
  )`)

const app = express()
app.post('/in/stripe', express.raw({ type: 'application/json', limit: '2mb' }), async (request, response) => {
  if (!isFromStripe(request.get('stripe-signature'), request.body, secret)) {
    response.status(401).send('invalid signature')
    return
  }
  const event = JSON.parse(request.body.toString())
  const receipt = await pool.query(
    `INSERT INTO webhook_receipts (
        provider,
        event_id,
        event_type,
        object_id,
        status,
        payload
      )
      VALUES ($1, $2, $3, $4, 'received', $5)
      ON CONFLICT (provider, event_id) DO NOTHING
      RETURNING id`,
    ['stripe', event.id, event.type, event.data.object.id, event],
  )
  if (receipt.rowCount === 0) response.status(200).send('already accepted')
  else response.status(202).send('accepted')
})
serve(app)
