// WRONG. The claim is atomic, but committed before the work: a crash or a failure in between loses the event.
import { pool, serve, work } from './support.mjs'

await serve(async (event) => {
  const claim = await pool.query('insert into prove_seen values ($1) on conflict do nothing', [event.id])
  if (claim.rowCount === 0) return
  await work(pool, event)
})
