import * as api from '@opentelemetry/api'
import { afterEach, beforeAll, describe, expect } from 'vitest'
import type { Delivery } from '../../src/index.ts'
import { openTelemetryTracing } from '../../src/observe/opentelemetry.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { handler } from '../../src/targets/handler.ts'
import { http } from '../../src/targets/http.ts'
import { until } from '../support/until.ts'
import { startHttpReceiver } from '../targets/http-receiver.ts'
import { secret, test } from './open-inbox.ts'
import { collectSpans, type SpanInBrief, takeSpans } from './traces.ts'

const tracing = openTelemetryTracing(api)
const source = stripe({ secret: `whsec_${secret}` })
const sources = { stripe: source }
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const callerId = '00f067aa0ba902b7'
const traceparent = `00-${traceId}-${callerId}-01`

beforeAll(collectSpans)
afterEach(() => void takeSpans())

function signed(id: string, headers: Readonly<Record<string, string>> = {}): Delivery {
  return source.sign({ id, type: 'invoice.paid', headers }, new Date())
}

function only(spans: readonly SpanInBrief[], name: string): SpanInBrief {
  const found = spans.filter((span) => span.name === name)
  if (found.length !== 1 || found[0] === undefined) throw new Error(`There are ${found.length} spans "${name}".`)
  return found[0]
}

describe('a delivery that is traced', () => {
  test('is one trace from the request over the queue and the outbox to the request that it leads to', async ({
    openInbox,
  }) => {
    const receiver = await startHttpReceiver()
    const targets = { crm: http({ url: receiver.url, allowPrivateAddresses: true }) }
    const door = openInbox({ sources, targets, tracing, mode: 'queued' })
    const worker = openInbox({ sources, targets, tracing, mode: 'queued' })
    const seen: (string | undefined)[] = []
    for (const inbox of [door, worker]) {
      inbox.on('stripe', 'invoice.paid', async (event, { outbox }) => {
        seen.push(api.trace.getActiveSpan()?.spanContext().spanId, event.correlationId)
        await outbox.add('crm', { paid: true })
      })
    }

    await door.receive('stripe', signed('evt_1', { traceparent }))
    await worker.drain()
    await receiver.close()

    const spans = takeSpans()
    const received = only(spans, 'receive stripe')
    const processed = only(spans, 'process stripe')
    const sent = only(spans, 'send crm')
    expect(spans.map((span) => span.traceId)).toEqual([traceId, traceId, traceId])
    expect([received.parentId, processed.parentId, sent.parentId]).toEqual([
      callerId,
      received.spanId,
      processed.spanId,
    ])
    expect(receiver.requests[0]?.headers['traceparent']).toBe(`00-${traceId}-${sent.spanId}-01`)
    expect(seen).toEqual([processed.spanId, traceId])
  })

  test('begins a trace of its own where the sender has none, also if the handler runs inline', async ({
    openInbox,
    database,
  }) => {
    const inbox = openInbox({ sources, tracing, mode: 'inline' })
    inbox.on('stripe', 'invoice.paid', () => {})

    await inbox.receive('stripe', signed('evt_1'))

    const spans = takeSpans()
    const received = only(spans, 'receive stripe')
    const processed = only(spans, 'process stripe')
    expect(processed).toMatchObject({ traceId: received.traceId, parentId: received.spanId })
    expect(received.parentId).toBeUndefined()
    const [body] = await database.query<{ headers: string }>(`select headers from "${database.schema}".bodies`)
    expect(JSON.parse(body?.headers ?? '')).toContainEqual([
      'traceparent',
      `00-${received.traceId}-${received.spanId}-01`,
    ])
  })

  test('is part of the span that is active when it comes in', async ({ openInbox }) => {
    const inbox = openInbox({ sources, tracing })
    const span = api.trace.getTracer('a server').startSpan('POST /stripe')

    await api.context.with(api.trace.setSpan(api.context.active(), span), () =>
      inbox.receive('stripe', signed('evt_1', { traceparent })),
    )

    expect(only(takeSpans(), 'receive stripe').parentId).toBe(span.spanContext().spanId)
  })

  test('says what became of it, in the words of the messaging conventions', async ({ openInbox }) => {
    const inbox = openInbox({ sources, tracing, mode: 'inline' })
    inbox.on('stripe', 'invoice.paid', () => {
      throw new TypeError('no')
    })

    await inbox.receive('stripe', signed('evt_1'))
    await inbox.receive('stripe', { body: '{}' })

    const spans = takeSpans()
    expect(spans).toMatchObject([
      {
        name: 'process stripe',
        kind: 'CONSUMER',
        error: 'TypeError: no',
        attributes: {
          'messaging.operation.type': 'process',
          'messaging.destination.name': 'stripe',
          'messaging.message.id': 'evt_1',
          'oncehook.event.type': 'invoice.paid',
          'oncehook.handler': 'stripe/invoice.paid',
          'oncehook.attempt': 1,
          'oncehook.outcome': 'failed',
          'error.type': 'TypeError',
        },
      },
      {
        name: 'receive stripe',
        kind: 'CONSUMER',
        error: 'failed',
        attributes: {
          'messaging.operation.type': 'receive',
          'messaging.destination.name': 'stripe',
          'messaging.message.id': 'evt_1',
          'oncehook.outcome': 'failed',
        },
      },
      {
        name: 'receive stripe',
        error: undefined,
        attributes: { 'oncehook.outcome': 'forged', 'oncehook.reason': 'signature_missing' },
      },
    ])
    expect(JSON.stringify(spans)).not.toContain(secret)
  })

  test('is linked with the one run of a batch, and its messages stay in its own trace', async ({ openInbox }) => {
    const carried = new Map<unknown, string | undefined>()
    const mail = handler(
      (messages) => {
        for (const { message, traceparent: own } of messages) carried.set(message, own)
      },
      { batch: 100 },
    )
    const inbox = openInbox({ sources, targets: { mail }, tracing, mode: 'queued', worker: { concurrency: 8 } })
    const batches: (readonly string[])[] = []
    inbox.on(
      'stripe',
      'invoice.paid',
      async (events, { effectsOf }) => {
        batches.push(events.map(({ id }) => id))
        for (const event of events) await effectsOf(event).outbox.add('mail', event.id)
      },
      { batch: 100 },
    )
    const ids = Array.from({ length: 8 }, (_, index) => `evt_${index}`)
    for (const id of ids) await inbox.receive('stripe', signed(id))
    const received = new Map(takeSpans().map((span) => [String(span.attributes['messaging.message.id']), span]))
    await inbox.start()
    await until(
      () => carried.size,
      (count) => count === 8,
    )
    await inbox.stop()

    const spans = takeSpans()
    const batch = batches.find((members) => members.length > 1) ?? []
    const links = batch.map((id) => received.get(id)?.spanId)
    expect(links.length).toBeGreaterThan(1)
    expect(spans.filter(({ name }) => name === 'process stripe')).toContainEqual(
      expect.objectContaining({ kind: 'CONSUMER', links, parentId: undefined }),
    )
    expect(batch.map((id) => carried.get(id)?.split('-')[1])).toEqual(batch.map((id) => received.get(id)?.traceId))
    expect(spans.filter(({ name }) => name === 'send mail').length).toBeGreaterThan(0)
  })
})

describe('without tracing', () => {
  test('nothing is traced, and what the sender named is kept as it came', async ({ openInbox, database }) => {
    const inbox = openInbox({ sources, mode: 'inline', targets: { mail: handler(() => {}) } })
    inbox.on('stripe', 'invoice.paid', async (_, { outbox }) => void (await outbox.add('mail', {})))

    await inbox.receive('stripe', signed('evt_1', { traceparent }))
    await inbox.drain()

    expect(takeSpans()).toEqual([])
    const [body] = await database.query<{ headers: string }>(`select headers from "${database.schema}".bodies`)
    expect(JSON.parse(body?.headers ?? '')).toContainEqual(['traceparent', traceparent])
    expect(await database.query(`select traceparent from "${database.schema}".outbox`)).toEqual([{ traceparent: null }])
  })
})
