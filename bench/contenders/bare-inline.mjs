// The bare statements of an inline handler with a transaction of its own: the receipt with BEGIN, the handler's row, COMMIT. Three messages.
import { Pool } from 'pg'
import { serveBare } from './bare-server.mjs'
import { bareTablesSql } from './bare-tables.mjs'
import { effectSql } from './effect-sql.mjs'

const pool = new Pool({ connectionString: process.env.DATABASE_URL })
await pool.query(bareTablesSql)

const beginSql = 'begin'
const recordSql = `
  with recorded as (
    insert into receipts (event_id, type, status, processed_at) values ($1, $2, 'processed', clock_timestamp())
    on conflict do nothing returning id
  )
  insert into bodies (receipt_id, content) select id, $3 from recorded returning receipt_id`
const logSql = 'insert into attempts (receipt_id, fence) values ($1, 1)'
const commitSql = 'commit'

/** Statements that are kept parsed, in one message, as `pg` lets queries of one's own be sent. Answers with all rows. */
function sendTogether(client, statements) {
  client.known ??= new Map()
  return new Promise((resolve, reject) => {
    const rows = []
    client.query({
      submit(wire) {
        wire.stream.cork()
        for (const [text, values = []] of statements) {
          let name = client.known.get(text)
          if (name === undefined) {
            name = `s${client.known.size}`
            client.known.set(text, name)
            wire.parse({ text, name })
          }
          wire.bind({ statement: name, values })
          wire.execute({})
        }
        wire.sync()
        wire.stream.uncork()
      },
      handleDataRow: ({ fields }) => rows.push(fields),
      handleCommandComplete() {},
      handleError: reject,
      handleReadyForQuery: () => resolve(rows),
    })
  })
}

async function handle(event, body) {
  const client = await pool.connect()
  try {
    const [row] = await sendTogether(client, [[beginSql], [recordSql, [event.id, event.type, body]]])
    if (row !== undefined) {
      await client.query(effectSql, [event.id, event.data.object.amount_paid])
      await sendTogether(client, [[logSql, row], [commitSql]])
    } else await client.query('rollback')
  } finally {
    client.release()
  }
}

serveBare(async ({ event, body, response }) => {
  await handle(event, body)
  response.writeHead(200).end('OK')
})
