// The bare statements of inline handlers that share a commit: the receipts of all that wait, a row of each handler, COMMIT. Three messages for
// a group, in two lanes.
import { Client, escapeLiteral } from 'pg'
import { serveBare } from './bare-server.mjs'
import { bareTablesSql, columnsOf } from './bare-tables.mjs'

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
    values: columnsOf(group),
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

serveBare((delivery) => {
  waiting.push(delivery)
  if (waiting.length === 1) setImmediate(start)
})
