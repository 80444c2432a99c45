// Oncehook, inline with a shared commit: receipts and rows of the events that come at the same time are in one transaction.
import { createWebhookServer, inbox, oneRowEffect } from './oncehook-build.mjs'
import { announce } from './serve.mjs'

inbox.on('stripe', '*', oneRowEffect, { mode: 'inline', commit: 'shared' })
await inbox.migrate()
const { port } = await createWebhookServer(inbox).listen({ port: 0, host: '127.0.0.1' })
announce(port)
