// RIGHT. The claim and the work commit together, or neither does.
import { serve, transaction, work } from './support.mjs'

await serve((event) =>
  transaction(async (tx) => {
    const claim = await tx.query('insert into prove_seen values ($1) on conflict do nothing', [event.id])
    if (claim.rowCount > 0) await work(tx, event)
  }),
)
