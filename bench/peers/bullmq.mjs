// SETTINGS are the options of BullMQ's Worker. Jobs are in Redis, effects in PostgreSQL.
import { Queue, Worker } from 'bullmq'
import { Pool } from 'pg'
import { runTask } from '../workers/task.mjs'

const connection = { host: '127.0.0.1', port: Number(process.env.REDIS_PORT), maxRetriesPerRequest: null }

await runTask({
  async fill(events) {
    const queue = new Queue('webhooks', { connection })
    await queue.obliterate({ force: true })
    for (let start = 0; start < events.length; start += 1000) {
      await queue.addBulk(events.slice(start, start + 1000).map((data) => ({ name: 'webhook', data })))
    }
    await queue.close()
  },
  async work(progress) {
    const pool = new Pool({ connectionString: process.env.DATABASE_URL })
    const handle = async ({ data }) => {
      const values = [data.id, data.data.object.amount_paid]
      await pool.query('insert into effects (event_id, amount) values ($1, $2)', values)
      progress()
    }
    const worker = new Worker('webhooks', handle, { connection, ...JSON.parse(process.env.SETTINGS) })
    worker.on('error', console.error)
    await worker.waitUntilReady()
  },
})
