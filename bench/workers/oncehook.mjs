// Oncehook's worker at its default settings. SETTINGS.form is how the handler takes events: `own`, `shared` or `batch`.
import { inbox, oneRowEffect, sources } from '../contenders/oncehook-build.mjs'
import { runTask } from './task.mjs'

const { form } = JSON.parse(process.env.SETTINGS)

const manyRowsSql = 'insert into effects (event_id, amount) select * from unnest($1::text[], $2::bigint[])'
const manyRowsEffect = (events, { tx }) =>
  tx.query(manyRowsSql, [events.map(({ id }) => id), events.map(({ payload }) => payload.data.object.amount_paid)])

const handlers = {
  own: () => inbox.on('stripe', '*', oneRowEffect, { mode: 'queued' }),
  shared: () => inbox.on('stripe', '*', oneRowEffect, { mode: 'queued', commit: 'shared' }),
  batch: () => inbox.on('stripe', '*', manyRowsEffect, { mode: 'queued', batch: 100 }),
}
handlers[form]()

await runTask({
  async fill(events) {
    for (let start = 0; start < events.length; start += 500) {
      const outcomes = await Promise.all(events.slice(start, start + 500).map(receive))
      const unwanted = outcomes.find(({ kind }) => kind !== 'accepted')
      if (unwanted !== undefined) throw new Error(`An event was not accepted: ${JSON.stringify(unwanted)}`)
    }
  },
  async work(progress) {
    // Told after the commit of each event.
    inbox.subscribe((event) => {
      if (event.kind === 'handler' && event.outcome === 'succeeded') progress()
      else if (event.kind === 'handler' || event.kind === 'notice') console.error(event)
    })
    await inbox.start()
  },
})

function receive(payload) {
  return inbox.receive('stripe', sources.stripe.sign({ payload }, new Date()))
}
