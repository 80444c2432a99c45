import { Pool } from 'pg'
import { createWebhookServer } from '../../src/adapters/webhook-server.ts'
import { createAdmin } from '../../src/admin/create-admin.ts'
import { createCaptures } from '../../src/capture/create-captures.ts'
import { createInbox } from '../../src/index.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { handler } from '../../src/targets/handler.ts'

/** A gateway as a user would write it, in a process of its own: queued, with effects, messages and a handler that can be broken. */
const { DATABASE_URL: connectionString, SCHEMA: schema = '', TOKENS: tokens = '' } = process.env
const pool = new Pool({ connectionString, max: 8 })
let isBroken = false

const store = postgresStore(pool, { schema })
const sources = { stripe: stripe({ secret: 'whsec_0123456789abcdef0123456789abcdef' }) }
const inbox = createInbox({
  store,
  sources,
  targets: { crm: handler(async () => {}) },
  automations: {},
  mode: 'queued',
  retry: { maxAttempts: 2, firstSeconds: 0 },
  logger: { info: () => {}, warn: () => {}, error: () => {} },
})
inbox.on('stripe', '*', async (event, { once, outbox }) => {
  if (isBroken) throw new Error('The customer service is away <b>now</b>')
  await once(`mail:${event.id}`, () => 'sent')
  await outbox.add('crm', { event: event.id })
})

const captures = createCaptures({
  store,
  sources,
  receipts: inbox.receipts,
  options: { replay: { allowPrivateAddresses: true, allowInsecure: true } },
})
const admin = createAdmin({
  inbox,
  captures,
  ...(tokens === ''
    ? { isOpenOnLoopback: true }
    : { tokens: JSON.parse(tokens) as { name: string; role: 'viewer'; token: string }[] }),
})
const server = createWebhookServer(inbox, { captures, mounts: [{ takes: () => true, handle: admin.nodeHandler }] })

process.on('message', (message: { readonly isBroken: boolean }) => {
  isBroken = message.isBroken
  process.send?.({ kind: 'turned' })
})
process.on('disconnect', () => process.exit())
await inbox.start()
await captures.start()
const { port } = await server.listen({ port: 0, host: '127.0.0.1' })
process.send?.({ kind: 'ready', url: `http://127.0.0.1:${port}` })
