import type { RequestListener } from 'node:http'
import express from 'express'
import fastify from 'fastify'
import Koa from 'koa'
import { describe, expect, test } from 'vitest'
import { expressHandler } from '../../src/adapters/express.ts'
import { fastifyWebhooks } from '../../src/adapters/fastify.ts'
import { honoHandler } from '../../src/adapters/hono.ts'
import { koaHandler } from '../../src/adapters/koa.ts'
import { nextHandler } from '../../src/adapters/next.ts'
import type { HasDoor } from '../../src/delivery/door.ts'
import { recordingDoor } from './recording-door.ts'
import { serveNode } from './serve-node.ts'

type Trust = 'trusted' | 'untrusted'
type Listen = (inbox: HasDoor, proxy: Trust) => Promise<RequestListener> | RequestListener

const frameworks: readonly (readonly [string, Listen])[] = [
  [
    'the trust proxy of Express',
    (inbox, proxy) => {
      const app = express()
      if (proxy === 'trusted') app.set('trust proxy', 'loopback')
      return app.use(expressHandler(inbox))
    },
  ],
  [
    'the trustProxy of Fastify',
    async (inbox, proxy) => {
      const app = fastify({ trustProxy: proxy === 'trusted' && 'loopback' })
      await app.register(fastifyWebhooks(inbox)).ready()
      return (request, response) => app.routing(request, response)
    },
  ],
  [
    'the proxy of Koa',
    (inbox, proxy) => {
      const app = new Koa({ proxy: proxy === 'trusted' })
      const answer = app.use(koaHandler(inbox)).callback()
      return (request, response) => void answer(request, response)
    },
  ],
]
const forwarded = {
  host: 'inner.example',
  'x-forwarded-for': '203.0.113.7',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'hooks.example',
}

describe('the URL follows', () => {
  test.for(frameworks)('%s', async ([, listen]) => {
    const seen: (string | undefined)[] = []
    for (const proxy of ['trusted', 'untrusted'] as const) {
      const door = recordingDoor()
      const served = await serveNode(await listen({ door }, proxy))
      await served.send({ path: '/in/acme?a=1', headers: forwarded, body: Buffer.from('{}') })
      await served.close()
      seen.push(door.received[0]?.delivery.url)
    }

    expect(seen).toEqual(['https://hooks.example/in/acme?a=1', 'http://inner.example/in/acme?a=1'])
  })

  test('what the option says, before what the framework says', async () => {
    const door = recordingDoor()
    const app = express()
      .set('trust proxy', true)
      .use(expressHandler({ door }, { trustProxy: false }))
    const served = await serveNode(app)
    await served.send({ headers: forwarded, body: Buffer.from('{}') })
    await served.close()

    expect(door.received[0]?.delivery.url).toBe('http://inner.example/in/acme')
  })

  test.for([
    ['https://hooks.example/in/acme?a=1', true, forwarded],
    ['http://localhost:3000/in/acme?a=1', false, forwarded],
    ['http://localhost:3000/in/acme?a=1', true, { 'x-forwarded-host': 'a/b@c', 'x-forwarded-proto': 'gopher' }],
  ] as const)('a trusted proxy to %s where requests have a URL of their own', async ([called, trustProxy, headers]) => {
    const door = recordingDoor()
    const request = new Request('http://localhost:3000/in/acme?a=1', { method: 'POST', headers, body: '{}' })

    await honoHandler({ door }, { trustProxy })({ req: { raw: request } })

    expect(door.received[0]?.delivery.url).toBe(called)
  })

  test('the host that was called where Next.js puts its own in its place', async () => {
    const door = recordingDoor()
    const headers = new Headers({ host: 'hooks.example:8443' })
    const request = new Request('https://localhost:3000/in/acme?a=1', { method: 'POST', headers, body: '{}' })

    await nextHandler({ door })(request)

    expect(door.received[0]?.delivery.url).toBe('https://hooks.example:8443/in/acme?a=1')
  })
})

test('Koa waits for the answer, so that what stands around it sees how it went', async () => {
  const door = recordingDoor()
  const statuses: number[] = []
  const app = new Koa()
  app.use(async (context, next) => {
    await next()
    statuses.push(context.res.statusCode)
  })
  app.use(koaHandler({ door }))
  const answer = app.callback()
  const served = await serveNode((request, response) => void answer(request, response))
  await served.send({ body: Buffer.from('{}') })
  await served.close()

  expect(statuses).toEqual([202])
})
