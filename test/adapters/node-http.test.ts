import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { describe, expect, test as plainTest } from 'vitest'
import { type NodeHandlerOptions, nodeHandler } from '../../src/adapters/node-http.ts'
import { describeAdapter } from './describe-adapter.ts'
import { type RecordingDoor, recordingDoor } from './recording-door.ts'
import { serveNode } from './serve-node.ts'
import { type Served, stalled } from './served.ts'

describeAdapter('the node:http handler', ({ door, source, readSeconds }) =>
  serveNode(nodeHandler({ door }, { source, readSeconds })),
)

/** What stands before the handler, as a framework's middleware would. */
type Middleware = (request: IncomingMessage & { body?: unknown; rawBody?: unknown }) => Promise<void>

type ServeOptions = NodeHandlerOptions & { readonly door: RecordingDoor; readonly middleware?: Middleware }

const test = plainTest.extend<{
  serve: (options: ServeOptions) => Promise<Served & { readonly port: number }>
}>({
  serve: async ({}, use) => {
    const opened: Served[] = []
    await use(async ({ door, middleware = async () => {}, ...options }) => {
      const handle = nodeHandler({ door }, options)
      const served = await serveNode((request, response) => {
        void middleware(request).then(() => handle(request, response))
      })
      opened.push(served)
      return served
    })
    await Promise.all(opened.map(({ close }) => close()))
  },
})

describe('the URL', () => {
  const forwarded = { 'x-forwarded-proto': 'https, http', 'x-forwarded-host': 'hooks.example', host: 'inner.example' }

  test('ignores what a stranger says was forwarded', async ({ serve }) => {
    const door = recordingDoor()
    const { send } = await serve({ door })

    await send({ path: '/in/acme?a=1', headers: forwarded })

    expect(door.received[0]?.delivery.url).toBe('http://inner.example/in/acme?a=1')
  })

  test('is the forwarded one behind a trusted proxy', async ({ serve }) => {
    const door = recordingDoor()
    const { send } = await serve({ door, trustProxy: true })

    await send({ path: '/in/acme?a=1', headers: forwarded })

    expect(door.received[0]?.delivery.url).toBe('https://hooks.example/in/acme?a=1')
  })

  test('can be read even if the host is none', async ({ serve }) => {
    const door = recordingDoor()
    const { send } = await serve({ door })

    expect((await send({ headers: { host: 'a b:::' } })).status).toBe(202)
    expect(door.received[0]?.delivery.url).toBe('http://localhost/in/acme')
  })

  test('includes the path under which a framework mounted the handler', async ({ serve }) => {
    const door = recordingDoor()
    const { send, origin } = await serve({
      door,
      middleware: async (request) => {
        Object.assign(request, { originalUrl: request.url, url: '/' })
      },
    })

    expect((await send({ path: '/in/acme?a=1' })).status).toBe(202)
    expect(door.received[0]?.delivery.url).toBe(`${origin}/in/acme?a=1`)
  })
})

describe('after a middleware that read the body', () => {
  const parseJson: Middleware = async (request) => {
    request.body = JSON.parse(await text(request))
  }

  test('the sender is told 500 and the developer what to change', async ({ serve }) => {
    const door = recordingDoor()
    const { send } = await serve({ door, middleware: parseJson })

    const answer = await send({ body: Buffer.from('{"id": 1}') })

    expect(answer).toMatchObject({ status: 500, body: '{"verdict":"error"}' })
    expect(door.received).toEqual([])
    expect(door.errors).toMatchObject([
      { code: 'ONCEHOOK_BODY_ALREADY_PARSED', message: expect.stringContaining('before express.json()') },
    ])
  })

  test('a body of which only the beginning was read counts as lost', async ({ serve }) => {
    const door = recordingDoor()
    const middleware: Middleware = async (request) => {
      await once(request, 'data')
      request.pause()
    }
    const { send } = await serve({ door, middleware })

    expect((await send({ body: stalled('{"id":') })).status).toBe(500)
    expect(door.received).toEqual([])
  })

  test('text is not taken for the exact bytes', async ({ serve }) => {
    const door = recordingDoor()
    const middleware: Middleware = async (request) => {
      request.rawBody = await text(request)
    }
    const { send } = await serve({ door, middleware })

    expect((await send({ body: Buffer.from('{}') })).status).toBe(500)
    expect(door.received).toEqual([])
  })

  test.for(['rawBody', 'body'] as const)('the bytes it kept in request.%s are taken', async (member, { serve }) => {
    const door = recordingDoor()
    const middleware: Middleware = async (request) => {
      request.body = {}
      request[member] = Buffer.concat(await request.toArray())
    }
    const { send } = await serve({ door, middleware })

    expect((await send({ body: Buffer.from([0, 0xff]) })).status).toBe(202)
    expect([...(door.received[0]?.delivery.body ?? [])]).toEqual([0, 0xff])
  })

  test('the bytes it kept are held to the limit, and not unpacked a second time', async ({ serve }) => {
    const door = recordingDoor({ settings: { maximumBodyBytes: 5, decompress: 'bounded' } })
    const contents = ['short', 'longer']
    const middleware: Middleware = async (request) => {
      await text(request)
      request.rawBody = Buffer.from(contents.shift() ?? '')
    }
    const { send } = await serve({ door, middleware })
    const packed = { headers: { 'content-encoding': 'gzip' }, body: gzipSync('') }

    expect((await send(packed)).status).toBe(202)
    expect((await send(packed)).status).toBe(413)
  })

  test('a body that it left alone is read', async ({ serve }) => {
    const door = recordingDoor()
    const middleware: Middleware = async (request) => {
      request.body = {}
    }
    const { send } = await serve({ door, middleware })

    expect((await send({ body: Buffer.from('{"id": 1}') })).status).toBe(202)
    expect(Buffer.from(door.received[0]?.delivery.body ?? []).toString()).toBe('{"id": 1}')
  })

  test('a request without a body is received all the same', async ({ serve }) => {
    const door = recordingDoor({ settings: { methods: ['GET'] } })
    const middleware: Middleware = async (request) => {
      await text(request)
      request.body = {}
    }
    const { send } = await serve({ door, middleware })

    expect((await send({ method: 'GET' })).status).toBe(202)
  })
})
