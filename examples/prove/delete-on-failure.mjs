// WRONG. A claim that is deleted when the work fails: copies in between were acknowledged, and a killed process deletes nothing.
import { pool, serve, work } from './support.mjs'

await serve(async (event) => {
  const claim = await pool.query('insert into prove_seen values ($1) on conflict do nothing', [event.id])
  if (claim.rowCount === 0) return
  try {
    await work(pool, event)
  } catch (error) {
    await pool.query('delete from prove_seen where event_id = $1', [event.id])
    throw error
  }
})
