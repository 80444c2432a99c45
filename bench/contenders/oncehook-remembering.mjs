// Oncehook, queued, with a memory of its own in front: a copy of what this process has recorded is answered without the database.
import {
  createInbox,
  createWebhookServer,
  folder,
  oneRowEffect,
  pool,
  postgresStore,
  sources,
} from './oncehook-build.mjs'
import { announce } from './serve.mjs'

const { memoryCache } = await import(`${folder}/index.js`)
const inbox = createInbox({ store: postgresStore(pool), sources, cache: memoryCache() })
inbox.on('stripe', '*', oneRowEffect, { mode: 'queued' })
await inbox.migrate()
const { port } = await createWebhookServer(inbox).listen({ port: 0, host: '127.0.0.1' })
announce(port)
