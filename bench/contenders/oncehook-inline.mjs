// Oncehook, inline: the receipt and the handler's row are in one transaction, committed before the answer.
import { createWebhookServer, inbox, oneRowEffect } from './oncehook-build.mjs'
import { announce } from './serve.mjs'

inbox.on('stripe', '*', oneRowEffect, { mode: 'inline' })
await inbox.migrate()
const { port } = await createWebhookServer(inbox).listen({ port: 0, host: '127.0.0.1' })
announce(port)
