import { once } from 'node:events'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import express5 from 'express'
import fastify from 'fastify'
import { H3, serve as serveH3 } from 'h3'
import { createApp, createRouter, eventHandler, readBody, toNodeListener } from 'h3-1'
import { Hono } from 'hono'
import Koa from 'koa'
import { expressHandler } from '../../src/adapters/express.ts'
import { fastifyWebhooks } from '../../src/adapters/fastify.ts'
import { h3Handler } from '../../src/adapters/h3.ts'
import { honoHandler } from '../../src/adapters/hono.ts'
import { koaHandler } from '../../src/adapters/koa.ts'
import type { HasDoor } from '../../src/delivery/door.ts'
import { openConformanceInbox } from './conformance-inbox.ts'
import { describeFramework, type FrameworkAbilities } from './describe-framework.ts'

/** Builds the application of a framework and listens. */
type Build = (inbox: HasDoor) => Promise<Server> | Server

function describeLight(name: string, build: Build, abilities: FrameworkAbilities): void {
  describeFramework(
    name,
    async (place) => {
      const inbox = openConformanceInbox(place)
      const server = await build(inbox)
      if (!server.listening) await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      return {
        port,
        async close() {
          server.closeAllConnections()
          await new Promise((resolve) => server.close(resolve))
          await inbox.end()
        },
      }
    },
    abilities,
  )
}

for (const [name, express] of [
  ['Express 5', express5],
  ['Express 4', createRequire(import.meta.url)('express-4') as typeof express5],
] as const) {
  describeLight(
    name,
    (inbox) => {
      const app = express()
      app.use('/webhooks', expressHandler(inbox))
      app.use(express.json())
      app.use('/parsed', expressHandler(inbox))
      return app.listen(0, '127.0.0.1')
    },
    { parsedBodyAdvice: 'before app.use(express.json())' },
  )
}

describeLight(
  'Fastify',
  async (inbox) => {
    const app = fastify()
    app.register(fastifyWebhooks(inbox), { prefix: '/webhooks' })
    app.register(async (scope) => {
      scope.addHook('onRequest', async (request) => {
        for await (const chunk of request.raw) void chunk
      })
      scope.register(fastifyWebhooks(inbox), { prefix: '/parsed' })
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    return app.server
  },
  { parsedBodyAdvice: 'onRequest hook' },
)

describeLight(
  'Hono',
  (inbox) => {
    const app = new Hono()
    app.all('/webhooks/*', honoHandler(inbox))
    app.use('/parsed/*', async (context, next) => {
      await context.req.json()
      await next()
    })
    app.all('/parsed/*', honoHandler(inbox))
    return serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server
  },
  { parsedBodyAdvice: 'context.req.json()' },
)

describeLight(
  'Koa',
  (inbox) => {
    const app = new Koa()
    app.silent = true
    const handle = koaHandler(inbox)
    app.use(async (context, next) => {
      if (context.path.startsWith('/parsed/')) for await (const chunk of context.req) void chunk
      await next()
    })
    app.use(async (context) => handle(context))
    return app.listen(0, '127.0.0.1')
  },
  { parsedBodyAdvice: 'before koa-bodyparser' },
)

describeLight(
  'h3 2',
  async (inbox) => {
    const app = new H3()
    app.all('/webhooks/**', h3Handler(inbox))
    app.all('/parsed/**', async (event) => {
      await event.req.json()
      return h3Handler(inbox)(event)
    })
    const server = serveH3(app, { port: 0, hostname: '127.0.0.1', silent: true })
    await server.ready()
    return server.node?.server as Server
  },
  { parsedBodyAdvice: 'event.req.json()' },
)

describeLight(
  'h3 1',
  (inbox) => {
    const router = createRouter()
    router.use('/webhooks/**', eventHandler(h3Handler(inbox)))
    router.use(
      '/parsed/**',
      eventHandler(async (event) => {
        await readBody(event)
        return h3Handler(inbox)(event)
      }),
    )
    return createServer(toNodeListener(createApp().use(router))).listen(0, '127.0.0.1')
  },
  { parsedBodyAdvice: 'readBody(event)' },
)
