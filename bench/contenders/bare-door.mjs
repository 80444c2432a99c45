// The bare statements of a durable door: verify, parse, and receipt, body and queue row of all deliveries that wait in one statement.
import { Client } from 'pg'
import { serveBare } from './bare-server.mjs'
import { bareTablesSql, columnsOf } from './bare-tables.mjs'

const client = new Client({ connectionString: process.env.DATABASE_URL })
await client.connect()
await client.query(bareTablesSql)

const record = {
  name: 'record',
  text: `
    with given as (
      select * from unnest($1::text[], $2::text[], $3::bytea[]) as given (event_id, type, content)
    ), recorded as (
      insert into receipts (event_id, type, status) select event_id, type, 'received' from given order by event_id
      on conflict do nothing returning id, event_id
    ), stored as (
      insert into bodies (receipt_id, content) select id, content from recorded join given using (event_id)
    )
    insert into queue (receipt_id) select id from recorded`,
}

let waiting = []
let isBusy = false

/** One statement at a time: what comes meanwhile is in the next. */
async function commit() {
  isBusy = true
  while (waiting.length > 0) {
    const group = waiting
    waiting = []
    const values = columnsOf(group)
    await client.query({ ...record, values })
    for (const { response } of group) response.writeHead(202).end('accepted')
  }
  isBusy = false
}

function start() {
  if (!isBusy) void commit()
}

serveBare((delivery) => {
  waiting.push(delivery)
  if (!isBusy) setImmediate(start)
})
