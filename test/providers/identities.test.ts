import { describe, expect, test } from 'vitest'
import { github } from '../../src/providers/github.ts'
import { hmac } from '../../src/providers/hmac.ts'
import { paddle } from '../../src/providers/paddle.ts'
import { shopify } from '../../src/providers/shopify.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { bodyDigest, fieldsDigest } from '../../src/verify/derived-identity.ts'
import { field } from '../../src/verify/object.ts'

const secret = 'a-secret-that-is-long-enough'
const form = { 'content-type': 'application/x-www-form-urlencoded' }

describe('an event of Stripe', () => {
  const identify = (payload: unknown) => stripe({ secret }).identify({ body: JSON.stringify(payload) })

  test('is known by the id in the body, and by the object it is about', () => {
    expect(
      identify({ id: 'evt_1', type: 'invoice.paid', created: 1794744000, data: { object: { id: 'in_1' } } }),
    ).toEqual([
      { id: 'evt_1', type: 'invoice.paid', objectId: 'in_1', occurredAt: new Date('2026-11-15T12:00:00.000Z') },
    ])
  })

  test('is also read when it is thin', () => {
    const payload = {
      id: 'evt_2',
      object: 'v2.core.event',
      type: 'v1.billing.meter.error',
      created: '2026-11-15T12:00:00.000Z',
      related_object: { id: 'mtr_1' },
    }

    expect(identify(payload)).toMatchObject([
      { id: 'evt_2', objectId: 'mtr_1', occurredAt: new Date('2026-11-15T12:00:00.000Z') },
    ])
  })

  test.each([undefined, null, '', {}, [], true, 1.5, Number.MAX_VALUE])('is malformed with the id %j', (id) => {
    expect(identify({ id, type: 'invoice.paid' })).toMatchObject({
      kind: 'malformed',
      detail: expect.stringContaining('the body field "id"'),
    })
  })

  test('has no time when the time is none', () => {
    expect(identify({ id: 'evt_1', type: 'invoice.paid', created: 'yesterday' })).toEqual([
      { id: 'evt_1', type: 'invoice.paid' },
    ])
  })
})

describe('an event of GitHub', () => {
  const headers = { 'x-github-delivery': '72d3162e', 'x-github-event': 'issues' }

  test('is scoped by its hook, as hooks share the GUID', () => {
    expect(github({ secret }).identify({ headers: { ...headers, 'x-github-hook-id': '42' } })).toEqual([
      { id: '42:72d3162e', type: 'issues', deliveryId: '72d3162e' },
    ])
  })

  test('is known by its GUID alone when no hook is named', () => {
    expect(github({ secret }).identify({ headers })).toMatchObject([{ id: '72d3162e' }])
  })

  test('is malformed when its GUID is sent twice', () => {
    const repeated = { ...headers, 'x-github-delivery': ['a', 'b'] }

    expect(github({ secret }).identify({ headers: repeated })).toMatchObject({ kind: 'malformed' })
  })

  test('can be identified by its document, also inside a form', () => {
    const source = github({
      secret,
      identity: ({ document, headers }) => ({
        id: (document as { id: string }).id,
        type: headers.get('x-github-event'),
      }),
    })
    const body = new URLSearchParams({ payload: '{"id":"from-the-document"}' }).toString()

    expect(source.identify({ headers: { ...headers, ...form }, body })).toMatchObject([{ id: 'from-the-document' }])
  })
})

describe('an event of Shopify', () => {
  test('keeps all digits of an object id beyond 2^53', () => {
    const headers = { 'shopify-webhook-id': 'w1', 'shopify-topic': 'orders/paid' }

    expect(shopify({ secret }).identify({ headers, body: '{"id":9007199254740993123}' })).toEqual([
      { id: 'w1', type: 'orders/paid', objectId: '9007199254740993123' },
    ])
  })
})

describe('an event of Paddle', () => {
  test('keeps its id when it is replayed as another notification', () => {
    const identify = (notification: string) =>
      paddle({ secret }).identify({
        body: JSON.stringify({ event_id: 'evt_1', event_type: 'transaction.paid', notification_id: notification }),
      })

    expect(identify('ntf_1')).toMatchObject([{ id: 'evt_1', deliveryId: 'ntf_1' }])
    expect(identify('ntf_2')).toMatchObject([{ id: 'evt_1', deliveryId: 'ntf_2' }])
  })
})

describe("an event with an identity of the user's own", () => {
  const delivery = { headers: { 'x-github-delivery': 'guid', 'x-github-event': 'push' }, body: '{"after":"abc"}' }

  test('keeps what the user says nothing about', () => {
    const source = github({ secret, identity: ({ document }) => field(document, 'after') as string })

    expect(source.identify(delivery)).toEqual([{ id: 'abc', type: 'push', deliveryId: 'guid' }])
  })

  test('may be a digest of fields, with its warning', () => {
    const source = github({ secret, identity: fieldsDigest(['after']) })

    expect(source.identify(delivery)).toMatchObject([{ id: expect.stringMatching(/^fields-sha256:/), type: 'push' }])
    expect(source.warnings).toEqual([expect.stringContaining('"after"')])
  })

  test('is malformed when the user finds none, or fails', () => {
    const failing = () => {
      throw new Error('no')
    }

    expect(github({ secret, identity: () => undefined }).identify(delivery)).toMatchObject({
      kind: 'malformed',
      detail: expect.stringContaining('"identity"'),
    })
    expect(github({ secret, identity: failing }).identify(delivery)).toMatchObject({ kind: 'malformed' })
  })
})

describe('an event of an unknown sender', () => {
  const options = { secret, header: 'x-signature' }

  test('needs to be told where its id is', () => {
    expect(() => hmac({ ...options } as Parameters<typeof hmac>[0])).toThrow(/"id" is missing/)
  })

  test('can be known by its body as a last resort, with a warning', () => {
    const source = hmac({ ...options, id: bodyDigest() })

    expect(source.identify({ body: 'a' })).toMatchObject([
      { id: expect.stringMatching(/^body-sha256:[0-9a-f]{64}$/), type: 'event' },
    ])
    expect(source.warnings).toEqual([expect.stringContaining('digest of the whole body')])
  })

  test('can be known by some of its fields, all of which it must have', () => {
    const source = hmac({ ...options, id: fieldsDigest(['order.id', 'status']) })
    const identify = (order: unknown, status?: string) =>
      source.identify({ body: JSON.stringify({ order, status, sentAt: Math.random() }) })

    expect(identify({ id: 1 }, 'paid')).toEqual(identify({ id: 1 }, 'paid'))
    expect(identify({ id: 1 }, 'paid')).not.toEqual(identify({ id: 2 }, 'paid'))
    expect(identify({ id: 1 })).toMatchObject({
      kind: 'malformed',
      detail: expect.stringContaining('order.id, status'),
    })
  })
})
