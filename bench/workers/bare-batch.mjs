// The bare statements of a batch worker that promises what Oncehook does: a claim that is committed before the handler runs (an event that
// kills its process must be seen to have been tried), then effects, queue rows, receipts and attempts in one commit. Two batches at once.
import { Pool } from 'pg'
import { bareTablesSql, binaryArray } from '../contenders/bare-tables.mjs'
import { runTask } from './task.mjs'

const pool = new Pool({ connectionString: process.env.DATABASE_URL })
const batchSize = 100

const claim = {
  name: 'claim',
  text: `
    with due as materialized (
      select receipt_id from queue where due_at <= now() order by due_at limit ${batchSize} for update skip locked
    ), leased as (
      update queue set due_at = clock_timestamp() + interval '60 s', fence = fence + 1
      from due where queue.receipt_id = due.receipt_id returning queue.receipt_id, queue.fence
    )
    select leased.receipt_id as id, fence, event_id, content
    from leased join receipts on receipts.id = leased.receipt_id join bodies on bodies.receipt_id = leased.receipt_id`,
}
const effect = {
  name: 'effect',
  text: 'insert into effects (event_id, amount) select * from unnest($1::text[], $2::bigint[])',
}
const complete = {
  name: 'complete',
  text: `
    with finished as (
      delete from queue where receipt_id = any ($1::bigint[]) returning receipt_id, fence
    ), processed as (
      update receipts set status = 'processed', processed_at = clock_timestamp() where id = any ($1::bigint[])
    )
    insert into attempts (receipt_id, fence) select receipt_id, fence from finished`,
}

async function runBatch() {
  const client = await pool.connect()
  try {
    const { rows } = await client.query(claim)
    if (rows.length === 0) return 0
    const amounts = rows.map(({ content }) => JSON.parse(content.toString()).data.object.amount_paid)
    await client.query('begin')
    const ids = binaryArray(
      'text',
      rows.map((row) => row.event_id),
    )
    await client.query({ ...effect, values: [ids, binaryArray('int8', amounts)] })
    await client.query({
      ...complete,
      values: [
        binaryArray(
          'int8',
          rows.map(({ id }) => id),
        ),
      ],
    })
    await client.query('commit')
    return rows.length
  } finally {
    client.release()
  }
}

await runTask({
  async fill(events) {
    await pool.query(bareTablesSql)
    for (const { id, type, ...rest } of events) {
      const content = Buffer.from(JSON.stringify({ id, type, ...rest }))
      await pool.query(
        `with recorded as (
          insert into receipts (event_id, type, status) values ($1, $2, 'received') returning id
        ), stored as (
          insert into bodies (receipt_id, content) select id, $3::bytea from recorded
        )
        insert into queue (receipt_id) select id from recorded`,
        [id, type, content],
      )
    }
  },
  async work(progress) {
    const lane = async () => {
      for (let taken = await runBatch(); taken > 0; taken = await runBatch()) progress(taken)
    }
    await Promise.all([lane(), lane()])
  },
})
