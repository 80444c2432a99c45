// The bare statements of an inline handler with a transaction of its own: the receipt with BEGIN, the handler's row, COMMIT. Three messages.
import { escapeLiteral, Pool } from 'pg'
import { serveBare } from './bare-server.mjs'
import { bareTablesSql } from './bare-tables.mjs'
import { effectSql } from './effect-sql.mjs'

const pool = new Pool({ connectionString: process.env.DATABASE_URL })
await pool.query(bareTablesSql)

const recordSql = (event, body) => `
  begin;
  with recorded as (
    insert into receipts (event_id, type, status, processed_at)
    values (${escapeLiteral(event.id)}, ${escapeLiteral(event.type)}, 'processed', clock_timestamp())
    on conflict do nothing returning id
  )
  insert into bodies (receipt_id, content) select id, '\\x${body.toString('hex')}' from recorded returning receipt_id`

async function handle(event, body) {
  const client = await pool.connect()
  try {
    const [, { rows }] = await client.query(recordSql(event, body))
    if (rows.length > 0) {
      await client.query(effectSql, [event.id, event.data.object.amount_paid])
      await client.query(`insert into attempts (receipt_id, fence) values (${rows[0].receipt_id}, 1); commit`)
    } else await client.query('rollback')
  } finally {
    client.release()
  }
}

serveBare(async ({ event, body, response }) => {
  await handle(event, body)
  response.writeHead(200).end('OK')
})
