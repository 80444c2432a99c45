// `node:http` that verifies, parses and inserts one row through `pg`: what a delivery costs at least, if each is stored by itself.
import { createServer } from 'node:http'
import { Pool } from 'pg'
import { readBody, serve } from './serve.mjs'
import { isFromStripe } from './verify-stripe.mjs'

const secret = process.env.STRIPE_WEBHOOK_SECRET
const pool = new Pool({ connectionString: process.env.DATABASE_URL })
const insertSql = 'insert into webhook_events (id, type, payload) values ($1, $2, $3) on conflict do nothing'
await pool.query('create table webhook_events (id text primary key, type text not null, payload text not null)')

async function accept(request, response, body) {
  if (!isFromStripe(request.headers['stripe-signature'], body, secret)) {
    response.writeHead(401).end('invalid signature')
    return
  }
  const text = body.toString()
  const event = JSON.parse(text)
  await pool.query(insertSql, [event.id, event.type, text])
  response.writeHead(202).end('accepted')
}

serve(
  createServer((request, response) =>
    readBody(request, (body) => {
      accept(request, response, body).catch(() => response.writeHead(500).end())
    }),
  ),
)
