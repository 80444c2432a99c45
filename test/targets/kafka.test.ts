import { Kafka, logLevel, Partitioners, type Producer } from 'kafkajs'
import { test as base, describe, expect } from 'vitest'
import { type KafkaProducer, kafka } from '../../src/targets/kafka.ts'
import { type KafkaBroker, longestValue, startKafkaBroker } from './kafka-broker.ts'
import { outgoingMessage, patient, traceparent } from './outgoing-message.ts'

const published = { kind: 'published' }
const topic = 'payments'

type KafkaFixtures = {
  readonly broker: KafkaBroker
  /** Connects the real client to the broker. */
  readonly connect: (options: { readonly idempotent: boolean }) => Promise<Producer>
}

const test = base.extend<KafkaFixtures>({
  broker: async ({}, use) => {
    const broker = await startKafkaBroker()
    await use(broker)
    await broker.goAway().catch(() => {})
  },
  connect: async ({ broker }, use) => {
    const connected: Producer[] = []
    await use(async ({ idempotent }) => {
      const client = new Kafka({ brokers: [broker.address], logLevel: logLevel.NOTHING })
      const retry = { initialRetryTime: 10, maxRetryTime: 20, retries: idempotent ? Number.MAX_SAFE_INTEGER : 2 }
      const createPartitioner = Partitioners.DefaultPartitioner
      const producer = client.producer({ idempotent, maxInFlightRequests: 1, retry, createPartitioner })
      await producer.connect()
      connected.push(producer)
      return producer
    })
    await Promise.all(connected.map((producer) => producer.disconnect()))
  },
})

function keysIn(broker: KafkaBroker): readonly string[] {
  return broker.records(topic).map(({ headers }) => headers['idempotency-key'] ?? '')
}

describe.for([{ idempotent: true }, { idempotent: false }])('a Kafka topic, by a producer with %o', (kind) => {
  test('has each message with its key and cause', async ({ broker, connect }) => {
    const producer = await connect(kind)
    const message = outgoingMessage({ json: '{"note":"grüße"}', idempotencyKey: 'größe', traceparent })

    const results = await kafka({ producer, topic }).deliver([message], patient())

    const { eventId, receiptId } = message.cause
    expect(results).toEqual([published])
    expect(broker.records(topic)).toEqual([
      {
        key: 'größe',
        value: '{"note":"grüße"}',
        headers: {
          'idempotency-key': 'größe',
          source: 'stripe',
          'event-id': eventId,
          'receipt-id': receiptId,
          traceparent,
        },
      },
    ])
  })

  test('has all messages of a batch, those with one key in their order', async ({ broker, connect }) => {
    const producer = await connect(kind)
    const messages = Array.from({ length: 20 }, () => outgoingMessage())

    const results = await kafka({ producer, topic, key: () => 'customer 7' }).deliver(messages, patient())

    expect(results).toEqual(messages.map(() => published))
    expect(keysIn(broker)).toEqual(messages.map(({ idempotencyKey }) => idempotencyKey))
  })

  test('refuses a message that is too large for good, and loses none of its neighbours or successors', async ({
    broker,
    connect,
  }) => {
    const target = kafka({ producer: await connect(kind), topic })
    const large = outgoingMessage({ json: JSON.stringify('x'.repeat(longestValue)) })
    const batch = [...Array.from({ length: 10 }, () => outgoingMessage()), large]
    const next = Array.from({ length: 11 }, () => outgoingMessage())

    const first = await target.deliver(batch, patient())
    const second = await target.deliver(next, patient())

    expect(first.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => published))
    expect(first[10]).toMatchObject({ kind: 'failed', retry: 'permanent' })
    expect(second).toEqual(next.map(() => published))
    const arrived = new Set(keysIn(broker))
    const missing = [...batch, ...next].filter(({ idempotencyKey }) => !arrived.has(idempotencyKey))
    expect(missing).toEqual([large])
  })

  test('that is away fails in time, and has the message once it is back', async ({ broker, connect }) => {
    const target = kafka({ producer: await connect(kind), topic })
    const message = outgoingMessage()
    await target.deliver([outgoingMessage()], patient())

    await broker.goAway()
    const whileAway = await target.deliver([message, outgoingMessage()], AbortSignal.timeout(1000))
    await broker.comeBack()
    const afterwards = await target.deliver([{ ...message, attempt: 2 }], patient())

    expect(whileAway).toMatchObject([
      { kind: 'failed', retry: 'later' },
      { kind: 'failed', retry: 'later' },
    ])
    expect(afterwards).toEqual([published])
    expect(keysIn(broker)).toContain(message.idempotencyKey)
  })
})

describe('an answer that is lost on its way', () => {
  test('does not store a message twice if the producer is idempotent', async ({ broker, connect }) => {
    const target = kafka({ producer: await connect({ idempotent: true }), topic })
    const message = outgoingMessage()
    broker.loseNextAnswer()

    const results = await target.deliver([message], patient())

    expect(results).toEqual([published])
    expect(keysIn(broker)).toEqual([message.idempotencyKey])
  })
})

describe('a batch that fails', () => {
  test('is not sent message by message while the broker is away', async () => {
    let calls = 0
    const away = Object.assign(new Error('Connection error'), { name: 'KafkaJSNumberOfRetriesExceeded' })
    const producer: KafkaProducer = {
      send: () => {
        calls += 1
        return Promise.reject(away)
      },
    }

    const results = await kafka({ producer, topic }).deliver([outgoingMessage(), outgoingMessage()], patient())

    expect(results).toMatchObject([{ retry: 'later' }, { retry: 'later' }])
    expect(calls).toBe(1)
  })

  test('because of the key of one message fails that message alone', async ({ broker, connect }) => {
    const producer = await connect({ idempotent: false })
    const [good, bad] = [outgoingMessage(), outgoingMessage()]
    const key = ({ id }: { readonly id: string }): string => {
      if (id === bad.id) throw new Error('no customer')
      return id
    }

    const results = await kafka({ producer, topic, key }).deliver([good, bad], patient())

    expect(results).toEqual([published, { kind: 'failed', error: 'Error: no customer', retry: 'later' }])
    expect(keysIn(broker)).toEqual([good.idempotencyKey])
  })
})

describe('the options', () => {
  test('are refused all at once when they make no sense', () => {
    expect(() => kafka({ producer: {} as never, topic: '' })).toThrow(/producer[\s\S]+topic/)
  })
})
