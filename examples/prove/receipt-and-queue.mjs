// RIGHT. The event is durable before the answer; a worker does the work in one transaction with its mark.
import { setTimeout as pause } from 'node:timers/promises'
import { pool, serve, transaction, work } from './support.mjs'

await pool.query(`create table if not exists prove_queue (
  event_id text primary key, event jsonb not null, is_done boolean not null default false, due_at timestamptz not null default now())`)

await serve(async (event, answer) => {
  await pool.query('insert into prove_queue (event_id, event) values ($1, $2) on conflict do nothing', [
    event.id,
    event,
  ])
  answer(202)
})

for (;;) await workOnce().catch((error) => pause(100, console.error(error.message)))

async function workOnce() {
  const found = await transaction(async (tx) => {
    const { rows } = await tx.query(
      `select event from prove_queue where not is_done and due_at <= now() order by due_at limit 1 for update skip locked`,
    )
    if (rows.length === 0) return 'nothing'
    const { event } = rows[0]
    await tx.query('savepoint work')
    try {
      await work(tx, event)
      await tx.query('update prove_queue set is_done = true where event_id = $1', [event.id])
    } catch {
      await tx.query('rollback to work')
      await tx.query(`update prove_queue set due_at = now() + interval '0.5 s' where event_id = $1`, [event.id])
    }
    return 'something'
  })
  if (found === 'nothing') await pause(20)
}
