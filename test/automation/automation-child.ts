// One of several processes that work off the same events, each with automations of its own.

import { createInbox } from '../../src/index.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'

const { databaseUrl, schema, secret, automations } = JSON.parse(process.env['CHILD_OPTIONS'] ?? '{}')
const inbox = createInbox({
  store: postgresStore(databaseUrl, { schema }),
  sources: { stripe: stripe({ secret }) },
  automations,
  worker: { concurrency: 4 },
  logger: { info: () => {}, warn: () => {}, error: () => {} },
})

process.on('message', () => {
  void inbox.drain().then(async () => {
    await inbox.close()
    process.disconnect()
  })
})
await inbox.migrate()
process.send?.('ready')
