// WRONG. The provider is told that all is well before anything is durable.
import { serve, transaction, work } from './support.mjs'

await serve(async (event, answer) => {
  answer(200)
  await transaction(async (tx) => {
    const claim = await tx.query('insert into prove_seen values ($1) on conflict do nothing', [event.id])
    if (claim.rowCount > 0) await work(tx, event)
  })
})
