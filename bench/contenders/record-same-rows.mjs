// The rows that Oncehook writes for a delivery, in its own tables, by hand. Whatever can be left out is: nothing is parsed, limited, counted or
// logged, headers are always the same, a duplicate is not told from what is new, and nobody hears of the receipt.
import { hash } from 'node:crypto'
import { Client } from 'pg'
import { folder, inbox } from './oncehook-build.mjs'

const { binaryArray } = await import(`${folder}/store/postgres/binary-arrays.js`)
const { createBodyId } = await import(`${folder}/receipt/body-id.js`)

await inbox.migrate()
const client = new Client({ connectionString: process.env.DATABASE_URL })
await client.connect()

const record = {
  name: 'record',
  text: `
    with given as (
      select * from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::uuid[], $6::bytea[], $7::bytea[])
        as given (event_id, type, object_id, occurred_at, body_id, body_hash, content)
    ), recorded as (
      insert into oncehook.receipts (
        environment, source, event_id, type, object_id, occurred_at, body_id, body_hash, secret_index, status
      )
      select 'default', 'stripe', event_id, type, object_id, occurred_at, body_id, body_hash, 0, 'received'
      from given order by event_id
      on conflict do nothing returning id, body_id
    ), stored as (
      insert into oncehook.bodies (id, stored_on, content, headers)
      select body_id, (now() at time zone 'UTC')::date, content, '[["host","127.0.0.1"],["content-type","application/json"]]'
      from given join recorded using (body_id)
    ), queued as (
      insert into oncehook.queue (receipt_id, environment, source, due_at)
      select id, 'default', 'stripe', clock_timestamp() from recorded
    )
    select pg_notify('oncehook_wake', '')`,
}

let waiting = []
let isBusy = false

/** As Oncehook does it: half of those that wait or were just answered, and on its way before the others are told. */
async function commit() {
  isBusy = true
  let told = []
  while (waiting.length > 0) {
    const group = waiting.splice(0, Math.max(16, Math.ceil((waiting.length + told.length) / 2)))
    const recorded = client.query({ ...record, values: columnsOf(group) })
    answer(told)
    await recorded
    told = group
  }
  answer(told)
  isBusy = false
}

function answer(told) {
  for (const { tell } of told) tell()
}

function columnsOf(group) {
  const column = (type, valueOf) => binaryArray(type, group.map(valueOf))
  return [
    column('text', ({ text }) => memberOf(text, '"id":"')),
    column('text', ({ text }) => memberOf(text, '"type":"')),
    column('text', ({ text }) => memberOf(text, '"object":{"id":"')),
    column('timestamptz', ({ text }) => new Date(Number.parseInt(memberOf(text, '"created":'), 10) * 1000)),
    column('uuid', () => createBodyId(new Date())),
    column('bytea', ({ body }) => Buffer.from(hash('sha256', body, 'binary'), 'binary')),
    column('bytea', ({ body }) => body),
  ]
}

/** Wrong for many a body, and cheaper than any way that is right. */
function memberOf(text, name) {
  const from = text.indexOf(name) + name.length
  return text.slice(from, text.indexOf('"', from))
}

function start() {
  if (!isBusy) void commit()
}

/** `tell` is called when it is durable. */
export function recordSoon(body, tell) {
  waiting.push({ text: body.latin1Slice(0, body.length), body, tell })
  if (!isBusy) setImmediate(start)
}
