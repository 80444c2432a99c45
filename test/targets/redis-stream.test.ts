import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { describe, expect } from 'vitest'
import { type RedisClient, redisStream } from '../../src/targets/redis-stream.ts'
import { outgoingMessage, patient, traceparent } from './outgoing-message.ts'
import { startRedis, test } from './test-with-redis.ts'

const published = { kind: 'published' }

type Opened = { readonly client: RedisClient; readonly close: () => unknown }

const clients: Readonly<Record<string, (port: number) => Promise<Opened>>> = {
  ioredis: async (port) => {
    const client = new Redis({ host: '127.0.0.1', port, retryStrategy: () => 10 })
    client.on('error', () => {})
    return { client, close: () => client.disconnect() }
  },
  'node-redis': async (port) => {
    const client = createClient({ url: `redis://127.0.0.1:${port}`, socket: { reconnectStrategy: () => 10 } })
    client.on('error', () => {})
    await client.connect()
    return { client, close: () => client.destroy() }
  },
}

/** The entries of a stream, each as the object of its fields. */
async function entriesOf(port: number, stream: string): Promise<readonly Record<string, string>[]> {
  const reader = new Redis({ host: '127.0.0.1', port })
  const entries = await reader.xrange(stream, '-', '+')
  reader.disconnect()
  return entries.map(([, fields]) =>
    Object.fromEntries(fields.flatMap((name, index) => (index % 2 === 0 ? [[name, fields[index + 1] ?? '']] : []))),
  )
}

describe.skipIf(startRedis === undefined).for(Object.entries(clients))('a Redis stream, through %s', ([, open]) => {
  test('holds each message with its key and cause, in order', async ({ redis: { port } }) => {
    const { client, close } = await open(port)
    const stream = randomUUID()
    const messages = [
      outgoingMessage({ json: '{"note":"grüße"}' }),
      outgoingMessage(),
      outgoingMessage({ traceparent }),
    ]

    const results = await redisStream({ client, stream }).deliver(messages, patient())
    close()

    expect(results).toEqual([published, published, published])
    expect(await entriesOf(port, stream)).toEqual(
      messages.map(({ idempotencyKey, json, cause, traceparent }) => ({
        'idempotency-key': idempotencyKey,
        json,
        source: 'stripe',
        'event-id': cause.eventId,
        'receipt-id': cause.receiptId,
        'created-at': '2026-01-01T00:00:00.000Z',
        ...(traceparent !== undefined && { traceparent }),
      })),
    )
  })

  test('holds a message once that comes again within the time for deduping', async ({ redis: { port } }) => {
    const { client, close } = await open(port)
    const stream = randomUUID()
    const target = redisStream({ client, stream, dedupeSeconds: 3600 })
    const [first, second] = [outgoingMessage(), outgoingMessage()]

    const results = [
      ...(await target.deliver([first], patient())),
      ...(await target.deliver([{ ...first, attempt: 2 }, second, second], patient())),
    ]
    close()

    expect(results).toEqual([published, published, published, published])
    const keys = (await entriesOf(port, stream)).map((entry) => entry['idempotency-key'])
    expect(keys).toEqual([first.idempotencyKey, second.idempotencyKey])
  })

  test('is trimmed to about the length that was asked for', async ({ redis: { port } }) => {
    const { client, close } = await open(port)
    const stream = randomUUID()
    const target = redisStream({ client, stream, maxLength: 100, dedupeSeconds: 60 })

    await target.deliver(
      Array.from({ length: 1000 }, () => outgoingMessage()),
      patient(),
    )
    close()

    expect((await entriesOf(port, stream)).length).toBeLessThan(300)
  })

  test('that cannot be added to fails, and a later attempt is not taken for a copy', async ({ redis: { port } }) => {
    const { client, close } = await open(port)
    const admin = new Redis({ host: '127.0.0.1', port })
    const stream = randomUUID()
    await admin.set(stream, 'not a stream')
    const target = redisStream({ client, stream, dedupeSeconds: 3600 })
    const message = outgoingMessage()

    const refused = await target.deliver([message], patient())
    await admin.del(stream)
    const added = await target.deliver([message], patient())
    close()
    admin.disconnect()

    expect(refused).toMatchObject([{ kind: 'failed', error: expect.stringContaining('WRONGTYPE'), retry: 'later' }])
    expect(added).toEqual([published])
    expect(await entriesOf(port, stream)).toHaveLength(1)
  })

  test('that is away fails in time, and has the message once it is back', async ({ mortalRedis }) => {
    const { client, close } = await open(mortalRedis.port)
    const stream = randomUUID()
    const target = redisStream({ client, stream, dedupeSeconds: 3600 })
    const message = outgoingMessage()
    await target.deliver([outgoingMessage()], patient())

    await mortalRedis.kill()
    const whileAway = await target.deliver([message], AbortSignal.timeout(200))
    await mortalRedis.restart()
    const afterwards = await target.deliver([{ ...message, attempt: 2 }], patient())
    close()

    expect(whileAway).toMatchObject([{ kind: 'failed', retry: 'later' }])
    expect(afterwards).toEqual([published])
    const keys = (await entriesOf(mortalRedis.port, stream)).map((entry) => entry['idempotency-key'])
    expect(keys.filter((key) => key === message.idempotencyKey)).toHaveLength(1)
  })
})

describe('the options', () => {
  test('are refused all at once when they make no sense', () => {
    expect(() => redisStream({ client: {} as never, stream: '', maxLength: 0, dedupeSeconds: -1 })).toThrow(
      /client[\s\S]+stream[\s\S]+maxLength[\s\S]+dedupeSeconds/,
    )
  })
})
