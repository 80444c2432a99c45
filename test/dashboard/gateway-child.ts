import type { AddressInfo } from 'node:net'
import express from 'express'
import { Pool } from 'pg'
import { expressHandler } from '../../src/adapters/express.ts'
import { createWebhookServer } from '../../src/adapters/webhook-server.ts'
import { createAdmin } from '../../src/admin/create-admin.ts'
import { createCaptures } from '../../src/capture/create-captures.ts'
import { createInbox } from '../../src/index.ts'
import { shopify } from '../../src/providers/shopify.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { handler } from '../../src/targets/handler.ts'

/** A gateway as a user would write it, in a process of its own: queued, with effects, messages and a handler that can be broken. */
const {
  DATABASE_URL: connectionString,
  SCHEMA: schema = '',
  TOKENS: tokens = '',
  CASES_FOLDER: casesFolder,
} = process.env
const pool = new Pool({ connectionString, max: 8 })
const broken = { handler: false, target: false }

const store = postgresStore(pool, { schema })
const sources = {
  stripe: stripe({ secret: 'whsec_0123456789abcdef0123456789abcdef' }),
  // Its deadline is known, and its secret has just been rotated.
  shop: shopify({ secret: ['shop-0123456789abcdef0123456789abcdef', 'shop-older-0123456789abcdef01234567'] }),
}
const inbox = createInbox({
  store,
  sources,
  targets: {
    crm: handler(async () => {
      if (broken.target) throw new Error('The address book is away <b>now</b>')
    }),
  },
  automations: {},
  mode: 'queued',
  retry: { maxAttempts: 2, firstSeconds: 0 },
  logger: { info: () => {}, warn: () => {}, error: () => {} },
})
inbox.on('stripe', '*', async (event, { once, outbox }) => {
  if (broken.handler) throw new Error('The customer service is away <b>now</b>')
  await once(`mail:${event.id}`, () => 'sent')
  await outbox.add('crm', { event: event.id })
})

const captures = createCaptures({
  store,
  sources,
  receipts: inbox.receipts,
  casesFolder,
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

/** An app that has pages of its own, and the dashboard below one of them. */
const app = express()
const mounted = createAdmin({ inbox, tokens: [{ name: 'ops', role: 'operator', token: 'ops-token-0123456789abcdef' }] })
app.post('/in/stripe', expressHandler(inbox, 'stripe'))
app.use(express.json())
app.use('/admin/hooks', mounted.nodeHandler)
app.use((_, response) => void response.status(418).end())

process.on('message', (message: { readonly part: keyof typeof broken; readonly isBroken: boolean }) => {
  broken[message.part] = message.isBroken
  process.send?.({ kind: 'turned' })
})
process.on('disconnect', () => process.exit())
await inbox.start()
await captures.start()
const { port } = await server.listen({ port: 0, host: '127.0.0.1' })
const appServer = app.listen(0, '127.0.0.1', () => {
  const { port: appPort } = appServer.address() as AddressInfo
  process.send?.({ kind: 'ready', url: `http://127.0.0.1:${port}`, appUrl: `http://127.0.0.1:${appPort}` })
})
