// Oncehook, queued, with Redis in front: a duplicate of a remembered receipt is answered without the database.
import { Redis } from 'ioredis'
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

const { redisCache } = await import(`${folder}/redis/index.js`)
const cache = redisCache(new Redis(Number(process.env.REDIS_PORT), '127.0.0.1'))
const inbox = createInbox({ store: postgresStore(pool), sources, cache })
inbox.on('stripe', '*', oneRowEffect, { mode: 'queued' })
await inbox.migrate()
const { port } = await createWebhookServer(inbox).listen({ port: 0, host: '127.0.0.1' })
announce(port)
