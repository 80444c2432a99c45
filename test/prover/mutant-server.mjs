// The right handler of examples/prove/inline-transaction.mjs once more, with a switch for every guarantee: BREAK names the one
// that is broken. Without it, all hold.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'pg'

const broken = process.env.BREAK ?? ''
const secret = process.env.STRIPE_WEBHOOK_SECRET ?? 'whsec_prove'
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
pool.on('error', () => {})
const remembered = new Set()

await pool.query(`
  create table if not exists prove_effects (event_id text not null, object_id text not null);
  create table if not exists prove_state (object_id text primary key, amount bigint not null, changed_at bigint not null);
  create table if not exists prove_payments (payment_id text primary key);
  create table if not exists prove_changes (object_id text, type text, primary key (object_id, type));
  create table if not exists prove_seen (key text ${broken === 'no-unique-key' ? '' : 'primary key'}, at timestamptz not null default now())`)

const server = createServer((request, response) => void receive(request, response))
server.listen(Number(process.env.PORT), '127.0.0.1')

async function receive(request, response) {
  const answer = (status) => {
    if (!response.headersSent) response.writeHead(status).end()
  }
  try {
    const body = await read(request)
    if (broken === 'effect-before-verification') await noteAtOnce(body)
    if (!isAuthentic(request.headers['stripe-signature'], body)) return answer(400)
    const event = parse(body)
    if (event === undefined) {
      if (broken === 'silent-on-bad-input') return
      return answer(broken === 'throws-on-bad-input' ? 500 : broken === 'takes-anything' ? 200 : 400)
    }
    await handle(event, { answer, body, request, response })
    answer(200)
  } catch (error) {
    console.error(error.message)
    answer(500)
  }
}

async function handle(event, { answer, body, response }) {
  const key = keyOf(event, body)
  switch (broken) {
    case 'memory-only':
      if (remembered.has(key)) return
      remembered.add(key)
      return work(pool, event)
    case 'select-first': {
      const seen = await pool.query('select from prove_seen where key = $1', [key])
      if (seen.rowCount > 0) return
      return transaction(async (tx) => {
        await work(tx, event)
        await tx.query('insert into prove_seen values ($1) on conflict do nothing', [key])
      })
    }
    case 'claim-apart':
      if (await claim(pool, key)) await work(pool, event)
      return
    case 'delete-on-failure':
      if (!(await claim(pool, key))) return
      try {
        await work(pool, event)
      } catch (error) {
        await pool.query('delete from prove_seen where key = $1', [key])
        throw error
      }
      return
    case 'record-after': {
      // A lock keeps copies apart, so that only a crash can double.
      const seen = await pool.query('select from prove_seen where key = $1', [key])
      if (seen.rowCount > 0) return
      if (remembered.has(key)) return answer(503)
      remembered.add(key)
      try {
        await work(pool, event)
        await claim(pool, key)
      } finally {
        remembered.delete(key)
      }
      return
    }
    case 'record-after-answer': {
      const seen = await pool.query('select from prove_seen where key = $1', [key])
      if (seen.rowCount > 0) return
      if (remembered.has(key)) return answer(503)
      remembered.add(key)
      response.once('finish', () => void claim(pool, key).finally(() => remembered.delete(key)))
      response.once('close', () => {
        if (!response.writableFinished) remembered.delete(key)
      })
      await work(pool, event)
      if (response.destroyed) remembered.delete(key)
      return
    }
    case 'cancel-with-request': {
      if (!(await claim(pool, key))) return
      for (let step = 0; step < 5; step += 1) {
        await pause(2)
        if (response.destroyed) return
      }
      return work(pool, event)
    }
    case 'acknowledge-first':
      answer(200)
      break
    case 'slow':
      await pause(1_600)
      break
    case 'refuses-duplicates': {
      const seen = await pool.query('select from prove_seen where key = $1', [key])
      if (seen.rowCount > 0) return answer(409)
      break
    }
    case 'swallows-unready':
      return inTransaction(event, key).catch((error) => console.error(error.message))
  }
  return inTransaction(event, key)
}

function inTransaction(event, key) {
  return transaction(async (tx) => {
    if (broken === 'forgets') await tx.query(`delete from prove_seen where at < now() - interval '1 s'`)
    if (await claim(tx, key)) await work(tx, event)
  })
}

/** What tells events apart. */
function keyOf(event, body) {
  if (broken === 'body-hash') return createHash('sha256').update(body).digest('hex')
  if (broken === 'broad-key') return `${event.type} ${event.data.object.customer ?? event.data.object.id}`
  return event.id
}

async function claim(tx, key) {
  if (broken === 'no-unique-key') return (await tx.query('insert into prove_seen values ($1)', [key])).rowCount > 0
  return (await tx.query('insert into prove_seen values ($1) on conflict do nothing', [key])).rowCount > 0
}

async function work(tx, event) {
  const { id, amount_paid: amount } = event.data.object
  if (event.type === 'payment_intent.succeeded') {
    await tx.query('insert into prove_payments values ($1) on conflict do nothing', [id])
  }
  if (event.type === 'charge.refunded') {
    const payment = await tx.query('select from prove_payments where payment_id = $1', [id.replace('ch_', 'pi_')])
    if (payment.rowCount === 0) throw new Error(`There is no payment for ${id} yet.`)
  }
  if (broken !== 'one-change-twice') {
    const change = await tx.query('insert into prove_changes values ($1, $2) on conflict do nothing', [id, event.type])
    if (change.rowCount === 0 && process.env.COUNT_CHANGES === '1') return
  }
  await tx.query('insert into prove_effects values ($1, $2)', [event.id, id])
  if (amount === undefined) return
  const newer = broken === 'last-writer-wins' ? '' : 'where prove_state.changed_at < excluded.changed_at'
  await tx.query(
    `insert into prove_state values ($1, $2, $3) on conflict (object_id) do update
     set amount = excluded.amount, changed_at = excluded.changed_at ${newer}`,
    [id, amount, event.created],
  )
}

async function noteAtOnce(body) {
  const event = parse(body)
  if (event !== undefined && (await claim(pool, event.id))) await work(pool, event)
}

async function transaction(run) {
  const tx = await pool.connect()
  try {
    await tx.query('begin')
    await run(tx)
    await tx.query('commit')
  } catch (error) {
    await tx.query('rollback').catch(() => {})
    throw error
  } finally {
    tx.release()
  }
}

async function read(request) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function isAuthentic(header, body) {
  if (broken === 'not-verified') return true
  if (broken === 'unsigned-passes' && header === undefined) return true
  const [, timestamp, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? []
  if (timestamp === undefined) return false
  if (broken !== 'no-timestamp-check' && Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false
  const bytes = broken === 'parsed-body' ? reserialised(body) : body
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(bytes).digest()
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'))
}

function reserialised(body) {
  try {
    return JSON.stringify(JSON.parse(body))
  } catch {
    return body
  }
}

function parse(body) {
  try {
    const event = JSON.parse(body)
    const isEvent = /^evt_\w{1,200}$/.test(event?.id) && typeof event.type === 'string'
    return isEvent && typeof event.data?.object?.id === 'string' ? event : undefined
  } catch {
    return undefined
  }
}
