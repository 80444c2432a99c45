// WRONG. "Have I seen it?" and "now I have" are two statements, with the work in between.
import { pool, serve, work } from './support.mjs'

await serve(async (event) => {
  const seen = await pool.query('select from prove_seen where event_id = $1', [event.id])
  if (seen.rowCount > 0) return
  await work(pool, event)
  await pool.query('insert into prove_seen values ($1) on conflict do nothing', [event.id])
})
