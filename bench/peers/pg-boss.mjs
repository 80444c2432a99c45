// SETTINGS.work are the options of `work`, SETTINGS.form is how the handler takes its batch.
import { Pool } from 'pg'
import { PgBoss } from 'pg-boss'
import { runTask } from '../workers/task.mjs'

const { form, work: workOptions } = JSON.parse(process.env.SETTINGS)
const oneRowSql = 'insert into effects (event_id, amount) values ($1, $2)'
const manyRowsSql = 'insert into effects (event_id, amount) select * from unnest($1::text[], $2::bigint[])'
const effectOf = ({ data }) => [data.id, data.data.object.amount_paid]

const boss = new PgBoss(process.env.DATABASE_URL)
boss.on('error', console.error)
await boss.start()
await boss.createQueue('webhooks')

await runTask({
  async fill(events) {
    for (let start = 0; start < events.length; start += 1000) {
      await boss.insert(
        'webhooks',
        events.slice(start, start + 1000).map((data) => ({ data })),
      )
    }
  },
  async work(progress) {
    const pool = new Pool({ connectionString: process.env.DATABASE_URL })
    const forms = {
      /** Every job by itself, side by side. */
      async parallel(jobs) {
        await Promise.all(
          jobs.map(async (job) => {
            await pool.query(oneRowSql, effectOf(job))
            progress()
          }),
        )
      },
      /** One statement each, in the transaction that also completes the jobs. */
      async transactional(jobs, tx) {
        for (const job of jobs) await tx.executeSql(oneRowSql, effectOf(job))
        progress(jobs.length)
      },
      /** One statement for all of them, in that transaction. */
      async transactionalBatch(jobs, tx) {
        const effects = jobs.map(effectOf)
        await tx.executeSql(manyRowsSql, [effects.map(([id]) => id), effects.map(([, amount]) => amount)])
        progress(jobs.length)
      },
    }
    await boss.work('webhooks', workOptions, forms[form])
  },
})
