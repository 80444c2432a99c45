// What all the handlers here share: tables, the signature, and reading a request. What differs is in their own files.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { Pool } from 'pg'

/** Effects have no unique key: one would hide a double. */
const tables = `
  create table if not exists prove_effects (event_id text not null, object_id text not null);
  create table if not exists prove_state (object_id text primary key, amount bigint not null, changed_at bigint not null);
  create table if not exists prove_payments (payment_id text primary key);
  create table if not exists prove_seen (event_id text primary key, seen_at timestamptz not null default now())`

const secret = process.env.STRIPE_WEBHOOK_SECRET ?? 'whsec_prove'

export const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
// A connection that breaks while nobody uses it is no reason to end.
pool.on('error', () => {})

/** Serves `handle(event, response)`, which is called with verified events only. */
export async function serve(handle) {
  await createTables()
  const server = createServer((request, response) => void receive(request, response, handle))
  server.listen(Number(process.env.PORT ?? 4500), '127.0.0.1')
}

async function receive(request, response, handle) {
  const answer = (status) => {
    if (!response.headersSent) response.writeHead(status).end()
  }
  try {
    const body = await read(request)
    if (!isAuthentic(request.headers['stripe-signature'], body)) return answer(400)
    const event = parse(body)
    if (event === undefined) return answer(400)
    await handle(event, answer)
    answer(200)
  } catch (error) {
    console.error(error.message)
    answer(500)
  }
}

export async function createTables() {
  // Several processes may start at once, and "if not exists" alone is not enough then.
  await transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock(727270)')
    await tx.query(tables)
    // Twice as long as Stripe lets anybody send an event again.
    await tx.query(`delete from prove_seen where seen_at < now() - interval '60 days'`)
  })
}

/** Runs the work in one transaction. */
export async function transaction(work) {
  const tx = await pool.connect()
  try {
    await tx.query('begin')
    const result = await work(tx)
    await tx.query('commit')
    return result
  } catch (error) {
    await tx.query('rollback').catch(() => {})
    throw error
  } finally {
    tx.release()
  }
}

/** The work of an event: an effect, the object's state, and a refund that needs its payment. */
export async function work(tx, event) {
  const { id, amount_paid: amount } = event.data.object
  if (event.type === 'payment_intent.succeeded') {
    await tx.query('insert into prove_payments values ($1) on conflict do nothing', [id])
  }
  if (event.type === 'charge.refunded') {
    const payment = await tx.query('select from prove_payments where payment_id = $1', [id.replace('ch_', 'pi_')])
    if (payment.rowCount === 0) throw new Error(`There is no payment for ${id} yet.`)
  }
  await tx.query('insert into prove_effects values ($1, $2)', [event.id, id])
  if (amount === undefined) return
  // Only what is newer overwrites.
  await tx.query(
    `insert into prove_state values ($1, $2, $3) on conflict (object_id) do update
     set amount = excluded.amount, changed_at = excluded.changed_at where prove_state.changed_at < excluded.changed_at`,
    [id, amount, event.created],
  )
}

async function read(request) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Stripe's signature, over the bytes as they came, and not older than five minutes. */
function isAuthentic(header = '', body) {
  const [, timestamp, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? []
  if (timestamp === undefined || Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest()
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'))
}

/** The event, or undefined if there is none in it. */
function parse(body) {
  try {
    const event = JSON.parse(body)
    const isEvent = /^evt_\w{1,200}$/.test(event?.id) && typeof event.type === 'string'
    return isEvent && typeof event.data?.object?.id === 'string' ? event : undefined
  } catch {
    return undefined
  }
}
