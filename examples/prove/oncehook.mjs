import { createServer } from 'node:http'
import { createInbox } from 'oncehook'
import { nodeHandler } from 'oncehook/node'
import { postgresStore } from 'oncehook/postgres'
import { stripe } from 'oncehook/providers/stripe'
import { createTables, pool, work } from './support.mjs'

/** The same work as that of all the others, behind Oncehook. */
export async function startOncehook(mode) {
  await createTables()
  const inbox = createInbox({
    store: postgresStore(pool, { schema: process.env.ONCEHOOK_SCHEMA ?? 'oncehook_prove' }),
    sources: { stripe: stripe({ secret: process.env.STRIPE_WEBHOOK_SECRET ?? 'whsec_prove' }) },
    mode,
    // So that what a killed worker held is taken over within the patience of a demonstration.
    worker: { leaseSeconds: 2 },
    retry: { firstSeconds: 0.5, factor: 1 },
    logger: { info() {}, warn() {}, error() {} },
  })
  inbox.on('stripe', '*', async (event, { tx }) => {
    // A signed document without an object is none of ours.
    if (event.objectId !== undefined) await work(tx, event.payload)
  })
  await inbox.start()
  createServer(nodeHandler(inbox, 'stripe')).listen(Number(process.env.PORT ?? 4500), '127.0.0.1')
}
