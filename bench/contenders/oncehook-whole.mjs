// Oncehook, queued, with its worker in the same process, as a small service would run it.
import { createWebhookServer, inbox, oneRowEffect } from './oncehook-build.mjs'
import { announce } from './serve.mjs'

inbox.on('stripe', '*', oneRowEffect, { mode: 'queued' })
await inbox.start()
const { port } = await createWebhookServer(inbox).listen({ port: 0, host: '127.0.0.1' })
announce(port)
