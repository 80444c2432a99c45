import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import express from 'express'
import fastify from 'fastify'
import Koa from 'koa'
import { describe, expect } from 'vitest'
import { type ShadowMiddleware, shadowMiddleware } from '../../src/adapters/node-http.ts'
import type { Delivery } from '../../src/index.ts'
import { post } from '../support/guarantees.ts'
import { stripeDelivery, test } from '../support/inbox.ts'
import { until } from '../support/until.ts'

type Serve = (watch: ShadowMiddleware, ids: string[]) => Promise<Server>

/** Each with a handler of its own that reads the body as people do there. */
const frameworks: Readonly<Record<string, Serve>> = {
  async Express(watch, ids) {
    const app = express()
    app.use('/webhooks/stripe', watch)
    app.use(express.json())
    app.post('/webhooks/stripe', (request, response) => {
      ids.push((request.body as { id: string }).id)
      response.sendStatus(201)
    })
    return app.listen(0, '127.0.0.1')
  },
  async Fastify(watch, ids) {
    const app = fastify()
    app.addHook('onRequest', (request, reply, done) => {
      watch(request.raw, reply.raw)
      done()
    })
    app.post('/webhooks/stripe', async (request, reply) => {
      ids.push((request.body as { id: string }).id)
      return reply.code(201).send({})
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    return app.server
  },
  async Koa(watch, ids) {
    const app = new Koa()
    app.use((context, next) => {
      watch(context.req, context.res)
      return next()
    })
    app.use(async (context) => {
      ids.push((JSON.parse(await text(context.req)) as { id: string }).id)
      context.status = 201
    })
    return app.listen(0, '127.0.0.1')
  },
}

describe('the handler of another framework', () => {
  test.for(Object.entries(frameworks))('%s is watched', async ([, serve], { makeInbox }) => {
    const inbox = makeInbox()
    await inbox.migrate()
    const ids: string[] = []
    const server = await serve(shadowMiddleware(inbox, 'stripe'), ids)
    if (!server.listening) await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/stripe`
    const copies = ['evt_1', 'evt_1', 'evt_2', 'evt_3']

    const statuses = await Promise.all(copies.map((id) => post(url, stripeDelivery(id) as Delivery)))
    server.closeAllConnections()
    server.close()
    const report = await until(
      () => inbox.shadow.report({ source: 'stripe' }),
      ({ deliveries }) => deliveries === copies.length,
    )

    expect(statuses).toEqual(copies.map(() => 201))
    expect(ids.toSorted()).toEqual(copies)
    expect(report).toMatchObject({ events: 3, calls: 4, unread: 0, acceptedForgeries: { count: 0 } })
    expect(report.runAgain.events.map(({ eventId }) => eventId)).toEqual(['evt_1'])
  })
})
