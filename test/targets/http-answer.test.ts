import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect } from 'vitest'
import { createManualClock } from '../support/manual-clock.ts'
import { outgoingMessage, patient } from './outgoing-message.ts'
import { test } from './test-with-http.ts'

const published = { kind: 'published' }

describe('an answer', () => {
  test.for([200, 201, 202, 204, 299])('of %d is a delivery', async (status, { receiver, target }) => {
    const server = await receiver((response) => response.writeHead(status).end())

    const results = await target({ url: server.url }).deliver([outgoingMessage()], patient())

    expect(results).toEqual([published])
  })

  test.for([301, 304, 400, 401, 403, 404, 408, 409, 413, 422, 425, 429, 500, 502, 503, 599])(
    'of %d is a failure for now',
    async (status, { receiver, target }) => {
      const server = await receiver((response) => response.writeHead(status).end())

      const results = await target({ url: server.url }).deliver([outgoingMessage()], patient())

      const error = expect.stringContaining(`127.0.0.1:${server.port} answered ${status}`)
      expect(results).toEqual([{ kind: 'failed', error, retry: 'later' }])
    },
  )

  test('of 410 is a failure for good, and so is what the options name', async ({ receiver, target }) => {
    const server = await receiver((response, { path }) => response.writeHead(Number(path.slice(1))).end())

    const gone = await target({ url: `${server.url}/410` }).deliver([outgoingMessage()], patient())
    const refused = await target({ url: `${server.url}/422`, permanentStatuses: [410, 422] }).deliver(
      [outgoingMessage()],
      patient(),
    )

    expect([...gone, ...refused]).toMatchObject([{ retry: 'permanent' }, { retry: 'permanent' }])
  })

  test.for([
    ['120', 120],
    ['0', 0],
    ['Thu, 01 Jan 2026 00:02:00 GMT', 120],
    ['Thu, 01 Jan 2015 00:00:00 GMT', 0],
    ['999999999', 86_400],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 86_400],
  ] as const)('with Retry-After %s is tried again after %d s', async ([retryAfter, seconds], { receiver, target }) => {
    const server = await receiver((response) => response.writeHead(503, { 'retry-after': retryAfter }).end())

    const results = await target({ url: server.url, clock: createManualClock() }).deliver(
      [outgoingMessage()],
      patient(),
    )

    expect(results).toMatchObject([{ retry: 'later', afterSeconds: seconds }])
  })

  test.for(['soon', '-5', '1e9'])(
    'with Retry-After %s says nothing about when',
    async (retryAfter, { receiver, target }) => {
      const server = await receiver((response) => response.writeHead(503, { 'retry-after': retryAfter }).end())

      const [result] = await target({ url: server.url }).deliver([outgoingMessage()], patient())

      expect(result).not.toHaveProperty('afterSeconds')
    },
  )

  test('is quoted in short, in one line, and without what we sent', async ({ receiver, target }) => {
    const server = await receiver((response, { headers, path }) =>
      response
        .writeHead(500)
        .end(`bad\r\ntoken ${headers.authorization?.slice(7)} at ${path} \u0000${'x'.repeat(5000)}`),
    )

    const [result] = await target({
      url: `${server.url}/path-key?query-key`,
      headers: { authorization: 'Bearer secret-token' },
    }).deliver([outgoingMessage()], patient())

    const error = result?.kind === 'failed' ? result.error : ''
    expect(error).toMatch(/answered 500: bad token \[hidden\] at \[hidden\] x+$/)
    expect(error.length).toBeLessThan(260)
    expect(error).not.toMatch(/secret-token|-key/)
  })
})

describe('a receiver', () => {
  test('that is down is tried again later, and has the message once it is back', async ({ receiver, target }) => {
    const server = await receiver()
    await server.close()
    const http = target({ url: server.url })
    const message = outgoingMessage()

    const whileDown = await http.deliver([message], patient())
    const back = await receiver(undefined, { port: server.port })
    const afterwards = await http.deliver([message], patient())

    const error = `Error: 127.0.0.1:${server.port} could not be reached: ECONNREFUSED.`
    expect(whileDown).toEqual([{ kind: 'failed', error, retry: 'later' }])
    expect(afterwards).toEqual([published])
    expect(back.requests).toMatchObject([{ headers: { 'idempotency-key': message.idempotencyKey } }])
  })

  test('that hangs is given up in time, and its connection closed', async ({ receiver, target }) => {
    const server = await receiver(() => {})

    const results = await target({ url: server.url, timeoutSeconds: 0.1 }).deliver([outgoingMessage()], patient())

    expect(results).toMatchObject([
      { kind: 'failed', error: expect.stringContaining('did not answer in time'), retry: 'later' },
    ])
    await server.disconnected()
    expect(server.sockets).toHaveLength(1)
  })

  test('is given up when the relay says so', async ({ receiver, target }) => {
    const abort = new AbortController()
    const server = await receiver(() => abort.abort())

    const results = await target({ url: server.url }).deliver([outgoingMessage()], abort.signal)

    expect(results).toMatchObject([{ kind: 'failed', retry: 'later' }])
    await server.disconnected()
  })

  test('that answers without end has said enough with its status', async ({ receiver, target }) => {
    const server = await receiver((response) => {
      const pour = (): void => {
        while (response.write('x'.repeat(16_384)));
      }
      response.writeHead(200).on('drain', pour)
      pour()
    })

    const results = await target({ url: server.url }).deliver([outgoingMessage()], patient())

    expect(results).toEqual([published])
    await server.disconnected()
    expect(server.sockets[0]?.bytesWritten).toBeLessThan(50_000_000)
  })

  test('that never finishes its answer has said enough with its status', async ({ receiver, target }) => {
    const server = await receiver((response) => response.writeHead(202).write('{'))

    const results = await target({ url: server.url, timeoutSeconds: 0.1 }).deliver([outgoingMessage()], patient())

    expect(results).toEqual([published])
  })

  test('that closes the connection, breaks it or speaks no HTTP is tried again later', async ({ target }) => {
    for (const reply of ['', 'SSH-2.0-OpenSSH\r\n', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n']) {
      const server = createServer((socket) => socket.once('data', () => socket.end(reply))).listen(0, '127.0.0.1')
      await once(server, 'listening')

      const results = await target({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }).deliver(
        [outgoingMessage()],
        patient(),
      )
      server.close()

      expect(results).toMatchObject([{ kind: 'failed', retry: 'later' }])
    }
  })
})
