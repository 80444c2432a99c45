// The bare statements of inline handlers that share a commit: the receipts of all that wait, a row of each handler, COMMIT. Three messages for
// a group, in two lanes.
import { createServer } from 'node:http'
import { Client, escapeLiteral } from 'pg'
import { bareTablesSql, binaryArray } from './bare-tables.mjs'
import { readBody, serve } from './serve.mjs'
import { isFromStripe } from './verify-stripe.mjs'

const secret = process.env.STRIPE_WEBHOOK_SECRET
const lanes = await Promise.all([1, 2].map(connect))
await lanes[0].query(bareTablesSql)

async function connect() {
  const client = new Client({ connectionString: process.env.DATABASE_URL })
  await client.connect()
  return client
}

const record = {
  name: 'record',
  text: `
    with given as (
      select * from unnest($1::text[], $2::text[], $3::bytea[]) as given (event_id, type, content)
    ), recorded as (
      insert into receipts (event_id, type, status, processed_at)
      select event_id, type, 'processed', clock_timestamp() from given order by event_id
      on conflict do nothing returning id, event_id
    ), stored as (
      insert into bodies (receipt_id, content) select id, content from recorded join given using (event_id)
    )
    select id, event_id from recorded`,
}

let waiting = []

async function commit(client) {
  const group = waiting
  waiting = []
  await client.query('begin')
  const { rows } = await client.query({
    ...record,
    values: [
      binaryArray(
        'text',
        group.map(({ event }) => event.id),
      ),
      binaryArray(
        'text',
        group.map(({ event }) => event.type),
      ),
      binaryArray(
        'bytea',
        group.map(({ body }) => body),
      ),
    ],
  })
  const isNew = new Set(rows.map((row) => row.event_id))
  const effects = group.filter(({ event }) => isNew.has(event.id)).map(({ event }) => effectOf(event))
  if (effects.length > 0) await client.query(effects.join(';'))
  const ids = rows.map(({ id }) => `(${id}, 1)`)
  await client.query(`${ids.length > 0 ? `insert into attempts (receipt_id, fence) values ${ids.join()};` : ''}commit`)
  for (const { response } of group) response.writeHead(200).end('OK')
  lanes.push(client)
  start()
}

function effectOf({ id, data }) {
  return `insert into effects (event_id, amount) values (${escapeLiteral(id)}, ${Number(data.object.amount_paid)})`
}

function start() {
  if (waiting.length > 0 && lanes.length > 0) void commit(lanes.pop())
}

serve(
  createServer((request, response) =>
    readBody(request, (body) => {
      if (!isFromStripe(request.headers['stripe-signature'], body, secret)) {
        response.writeHead(401).end('invalid signature')
        return
      }
      waiting.push({ event: JSON.parse(body.toString()), body, response })
      if (waiting.length === 1) setImmediate(start)
    }),
  ),
)
