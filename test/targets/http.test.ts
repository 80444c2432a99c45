import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { describe, expect } from 'vitest'
import { permanent } from '../../src/errors.ts'
import { standardWebhooks } from '../../src/providers/standard-webhooks.ts'
import { createManualClock } from '../support/manual-clock.ts'
import type { ReceivedRequest } from './http-receiver.ts'
import { outgoingMessage, patient, traceparent } from './outgoing-message.ts'
import { test } from './test-with-http.ts'

const published = { kind: 'published' }
const firstSecret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`
const secondSecret = `whsec_${Buffer.alloc(24, 2).toString('base64')}`

function verdictOf(
  request: ReceivedRequest | undefined,
  keys: { readonly secret: string } | { readonly publicKey: string },
  at: Date,
): unknown {
  return standardWebhooks(keys).verify({ headers: request?.headers ?? {}, body: request?.body ?? '' }, at)
}

describe('a message that is posted', () => {
  test('arrives as the stored text, with its idempotency key and the headers that were asked for', async ({
    receiver,
    target,
  }) => {
    const server = await receiver()
    const json = '{"amount": 4200,  "note":"grüße"}'
    const message = outgoingMessage({ json, idempotencyKey: 'oncehook:evt_1:email', traceparent })

    const results = await target({
      url: `${server.url}/hooks?team=7`,
      headers: { Authorization: 'Bearer abc', 'X-Team': '7' },
    }).deliver([message], patient())

    expect(results).toEqual([published])
    expect(server.requests).toMatchObject([{ method: 'POST', path: '/hooks?team=7', body: json }])
    expect(server.requests[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(json)),
      'user-agent': 'oncehook',
      'idempotency-key': 'oncehook:evt_1:email',
      'webhook-id': 'oncehook:evt_1:email',
      authorization: 'Bearer abc',
      'x-team': '7',
      traceparent,
    })
    expect(server.requests[0]?.headers).not.toHaveProperty('webhook-signature')
  })

  test('is signed so that a Standard Webhooks receiver accepts it, with each of several secrets', async ({
    receiver,
    target,
  }) => {
    const server = await receiver()
    const clock = createManualClock()

    await target({ url: server.url, secret: [firstSecret, secondSecret], clock }).deliver(
      [outgoingMessage()],
      patient(),
    )

    const [request] = server.requests
    expect(verdictOf(request, { secret: firstSecret }, clock.now())).toMatchObject({ kind: 'authentic' })
    expect(verdictOf(request, { secret: secondSecret }, clock.now())).toMatchObject({ kind: 'authentic' })
    const other = `whsec_${Buffer.alloc(24, 3).toString('base64')}`
    expect(verdictOf(request, { secret: other }, clock.now())).toMatchObject({ kind: 'forged' })
  })

  test('is signed with Ed25519 by a private key', async ({ receiver, target }) => {
    const server = await receiver()
    const clock = createManualClock()
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const secret = `whsk_${privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32).toString('base64')}`
    const received = `whpk_${publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64')}`

    await target({ url: server.url, secret, clock }).deliver([outgoingMessage()], patient())

    expect(verdictOf(server.requests[0], { publicKey: received }, clock.now())).toMatchObject({ kind: 'authentic' })
  })

  test('carries the same key and a signature of its own time when it comes again', async ({ receiver, target }) => {
    const server = await receiver()
    const clock = createManualClock()
    const http = target({ url: server.url, secret: firstSecret, clock })
    const message = outgoingMessage()

    await http.deliver([message], patient())
    await clock.advance(3_600_000)
    await http.deliver([{ ...message, attempt: 2 }], patient())

    const [first, second] = server.requests
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(verdictOf(second, { secret: firstSecret }, clock.now())).toMatchObject({ kind: 'authentic' })
    expect(verdictOf(first, { secret: firstSecret }, clock.now())).toMatchObject({ kind: 'forged' })
  })

  test('has its key encoded where a header or the signature could not hold it', async ({ receiver, target }) => {
    const server = await receiver()
    const idempotencyKey = "größe/1.1767225600 'a'\r\nx: y"

    await target({ url: server.url }).deliver([outgoingMessage({ idempotencyKey })], patient())

    const id = String(server.requests[0]?.headers['webhook-id'])
    expect(id).toMatch(/^[\w%:~-]+$/)
    expect(decodeURIComponent(id)).toBe(idempotencyKey)
  })

  test('goes where a function sends it, signed with what a function finds', async ({ receiver, target }) => {
    const server = await receiver()
    const http = target({
      url: ({ cause }) => `${server.url}/${cause.source}`,
      headers: async ({ id }) => ({ 'x-row': id }),
      secret: () => firstSecret,
    })
    const message = outgoingMessage()

    await http.deliver([message], patient())

    expect(server.requests).toMatchObject([{ path: '/stripe', headers: { 'x-row': message.id } }])
    expect(verdictOf(server.requests[0], { secret: firstSecret }, new Date())).toMatchObject({ kind: 'authentic' })
  })

  test('arrives under a path that is not well encoded', async ({ receiver, target }) => {
    const server = await receiver()

    const results = await target({ url: `${server.url}/%E0%A4%A?%` }).deliver([outgoingMessage()], patient())

    expect(results).toEqual([published])
    expect(server.requests).toMatchObject([{ path: '/%E0%A4%A?%' }])
  })

  test('shares a connection with the next', async ({ receiver, target }) => {
    const server = await receiver()
    const http = target({ url: server.url })

    for (const message of [outgoingMessage(), outgoingMessage()]) await http.deliver([message], patient())

    expect(server.requests).toHaveLength(2)
    expect(server.sockets).toHaveLength(1)
  })

  test('is sent again at once when the kept connection turns out to be closed', async ({ target }) => {
    let requests = 0
    const server = createServer((socket) => {
      let answers = 0
      socket.on('data', () => {
        requests += 1
        answers += 1
        if (answers === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
        else socket.resetAndDestroy()
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const http = target({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })

    const first = await http.deliver([outgoingMessage()], patient())
    const second = await http.deliver([outgoingMessage()], patient())
    server.close()

    expect([...first, ...second]).toEqual([published, published])
    expect(requests).toBe(3)
  })
})

describe('a function of the options', () => {
  test('that throws fails the message for now, or for good if it says so', async ({ target }) => {
    const busy = target({ url: () => Promise.reject(new Error('no database')) })
    const unknown = target({
      url: () => {
        throw permanent('no such customer')
      },
    })

    const results = [
      ...(await busy.deliver([outgoingMessage()], patient())),
      ...(await unknown.deliver([outgoingMessage()], patient())),
    ]

    expect(results).toEqual([
      { kind: 'failed', error: 'Error: no database', retry: 'later' },
      { kind: 'failed', error: 'Error: no such customer', retry: 'permanent' },
    ])
  })

  test('that finds no usable secret sends nothing', async ({ receiver, target }) => {
    const server = await receiver()

    const results = await target({ url: server.url, secret: () => 'not base64!' }).deliver(
      [outgoingMessage()],
      patient(),
    )

    expect(results).toMatchObject([{ kind: 'failed', error: expect.not.stringContaining('not base64!') }])
    expect(server.requests).toEqual([])
  })
})
