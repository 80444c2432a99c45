import { describe, expect, test as plainTest } from 'vitest'
import {
  createWebhookServer,
  type WebhookServer,
  type WebhookServerOptions,
} from '../../src/adapters/webhook-server.ts'
import { describeAdapter } from './describe-adapter.ts'
import { head, rawConnection } from './raw-socket.ts'
import { accepted, type RecordingDoor, recordingDoor } from './recording-door.ts'
import { sendOverHttp } from './serve-node.ts'
import { serveByServer } from './serve-webhooks.ts'
import type { AnswerSeen, RequestToSend } from './served.ts'
import { signal } from './signal.ts'

type Running = Pick<WebhookServer, 'close'> & {
  readonly port: number
  readonly send: (request: RequestToSend) => Promise<AnswerSeen>
}

const test = plainTest.extend<{ start: (door: RecordingDoor, options?: WebhookServerOptions) => Promise<Running> }>({
  start: async ({}, use) => {
    const servers: WebhookServer[] = []
    await use(async (door, options) => {
      const server = createWebhookServer({ door }, options)
      servers.push(server)
      const { port } = await server.listen({ port: 0, host: '127.0.0.1' })
      return { port, send: (request) => sendOverHttp(port, request), close: server.close }
    })
    await Promise.all(servers.map(({ close }) => close(0)))
  },
})

describeAdapter('the server', serveByServer, 'path')

describe('the server', () => {
  test('takes deliveries at /in/ and the name of a source, and nowhere else', async ({ start }) => {
    const door = recordingDoor()
    const { send } = await start(door)
    const body = Buffer.from('{}')

    expect((await send({ path: '/in/acme?a=1', body })).status).toBe(202)
    expect((await send({ path: '/in/acme/', body })).status).toBe(202)
    for (const path of ['/acme', '/in/other', '/in/', '/in/x/acme', '/', '/in/%zz']) {
      expect(await send({ path, body })).toMatchObject({ status: 404, body: '{"verdict":"unknown_source"}' })
    }
    expect(door.received).toHaveLength(2)
  })

  test('says whether it is ready', async ({ start }) => {
    const states = [async () => true, async () => false, () => Promise.reject(new Error('down'))]
    const door = recordingDoor()
    const { send } = await start(door, { isReady: () => states.shift()?.() ?? Promise.resolve(true) })
    const ask = async () => (await send({ method: 'GET', path: '/readyz' })).status

    expect([await ask(), await ask(), await ask()]).toEqual([200, 503, 500])
    expect(door.errors).toMatchObject([{ message: 'down' }])
    expect((await send({ method: 'GET', path: '/healthz' })).status).toBe(200)
  })

  test('says that its port is taken', async ({ start }) => {
    const { port } = await start(recordingDoor())
    const second = createWebhookServer({ door: recordingDoor() })

    await expect(second.listen({ port, host: '127.0.0.1' })).rejects.toThrow('EADDRINUSE')
  })

  test('closes on a sender that never finishes its headers', async ({ start }) => {
    const door = recordingDoor()
    const { port } = await start(door)
    const connection = await rawConnection(port)

    connection.write('POST /in/acme HTTP/1.1\r\nHost: a\r\nX-Slow: ')

    expect(await connection.untilClosed()).toMatch(/^HTTP\/1\.1 408 /)
    expect(door.received).toEqual([])
  })

  test('refuses headers of more than 16 KB', async ({ start }) => {
    const door = recordingDoor()
    const { port } = await start(door)
    const connection = await rawConnection(port)

    connection.write(head(`X-Huge: ${'x'.repeat(20_000)}`, 'Content-Length: 0'))

    expect(await connection.untilClosed()).toMatch(/^HTTP\/1\.1 431 /)
    expect(door.received).toEqual([])
  })
})

describe('a server that is closed', () => {
  test('finishes the request that runs, and then has no connection left', async ({ start }) => {
    const received = signal()
    const mayFinish = signal()
    const door = recordingDoor({
      receive: async () => {
        received.give()
        await mayFinish.given
        return accepted
      },
    })
    const { port, close } = await start(door)
    const connection = await rawConnection(port)
    connection.write(`${head('Content-Length: 2')}{}`)
    await received.given

    const closed = close()
    await expect(rawConnection(port)).rejects.toThrow('ECONNREFUSED')
    mayFinish.give()
    await closed

    const answer = await connection.untilClosed()
    expect(answer).toMatch(/^HTTP\/1\.1 202 /)
    expect(answer.toLowerCase()).toContain('\r\nconnection: close\r\n')
  })

  test('waits until the last answer has gone out, however slowly that is read', async ({ start }) => {
    const received = signal()
    const body = 'x'.repeat(8 << 20)
    const door = recordingDoor({
      answer: () => {
        received.give()
        return { status: 200, body }
      },
    })
    const { port, close } = await start(door)
    const connection = await rawConnection(port)
    connection.socket.pause()
    connection.write(`${head('Content-Length: 2')}{}`)
    await received.given

    const closed = close()
    connection.socket.resume()
    await closed

    expect(await connection.untilClosed()).toMatch(/\r\n\r\nx{1000}/)
    expect(connection.socket.bytesRead).toBeGreaterThan(body.length)
  })

  test('does not wait for connections without a request', async ({ start }) => {
    const { port, close, send } = await start(recordingDoor())
    const idle = await rawConnection(port)
    const inItsHeaders = await rawConnection(port)
    inItsHeaders.write('POST /in/acme HTTP/1.1\r\n')
    await send({ body: Buffer.from('{}') })

    await close()

    expect(await idle.untilClosed()).toBe('')
    expect(await inItsHeaders.untilClosed()).toBe('')
  })

  test('cuts off what outlasts its grace', async ({ start }) => {
    const received = signal()
    const door = recordingDoor({
      receive: () => {
        received.give()
        return new Promise(() => {})
      },
    })
    const { port, close } = await start(door)
    const connection = await rawConnection(port)
    connection.write(`${head('Content-Length: 2')}{}`)
    await received.given

    await close(0.02)

    expect(await connection.untilClosed()).toBe('')
  })
})
