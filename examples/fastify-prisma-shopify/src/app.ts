import { fastify } from 'fastify'
import { fastifyWebhooks } from 'oncehook/fastify'
import { prisma } from './database.ts'
import { inbox } from './inbox.ts'

export const app = fastify()

// Takes requests before Fastify parses them, so that the signature is checked over the exact bytes.
await app.register(fastifyWebhooks(inbox), { prefix: '/webhooks' })

app.get('/orders', () => prisma.order.findMany())
