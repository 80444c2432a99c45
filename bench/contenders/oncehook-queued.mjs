// Oncehook, queued: the receipt, the exact bytes and the queue row are durable before the answer. No worker runs in this process.
import { createWebhookServer, inbox, oneRowEffect } from './oncehook-build.mjs'
import { announce } from './serve.mjs'

inbox.on('stripe', '*', oneRowEffect, { mode: 'queued' })
inbox.on('github', '*', oneRowEffect, { mode: 'queued' })
await inbox.migrate()
const { port } = await createWebhookServer(inbox).listen({ port: 0, host: '127.0.0.1' })
announce(port)
