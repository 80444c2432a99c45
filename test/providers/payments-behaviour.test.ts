import { describe, expect, test } from 'vitest'
import { coinbaseCommerce } from '../../src/providers/coinbase-commerce.ts'
import { lemonsqueezy } from '../../src/providers/lemonsqueezy.ts'
import { mollie } from '../../src/providers/mollie.ts'
import { razorpay } from '../../src/providers/razorpay.ts'
import { recurly } from '../../src/providers/recurly.ts'
import { revenuecat } from '../../src/providers/revenuecat.ts'
import { wise } from '../../src/providers/wise.ts'
import { woocommerce } from '../../src/providers/woocommerce.ts'
import { pemKeys } from './case-keys.ts'
import { identifyDocument as identify, idOfDocument as idOf } from './reading.ts'

const secret = 'a-secret-that-is-long-enough'
const noon = new Date('2026-11-15T12:00:00.000Z')

describe('an event of Lemon Squeezy', () => {
  const event = (attributes: Record<string, unknown>, name = 'subscription_updated') => ({
    meta: { event_name: name },
    data: { type: 'subscriptions', id: '1', attributes: { updated_at: '2026-11-15T12:00:00.000000Z', ...attributes } },
  })
  const source = lemonsqueezy({ secret })

  test('is the same one when it is sent again, although its links are signed anew', () => {
    expect(idOf(source, event({ status: 'active', urls: { portal: '?expires=1' } }))).toBe(
      idOf(source, event({ status: 'active', urls: { portal: '?expires=2' } })),
    )
  })

  test('is another one when something else changed within the same second', () => {
    expect(idOf(source, event({ status: 'active' }))).not.toBe(idOf(source, event({ status: 'paused' })))
  })

  test('is not the one of another name that describes the same purchase', () => {
    expect(idOf(source, event({}))).not.toBe(idOf(source, event({}, 'subscription_created')))
  })

  test('is malformed without a time', () => {
    expect(identify(source, event({ updated_at: null }))).toMatchObject({ kind: 'malformed' })
  })
})

describe('an event of Razorpay', () => {
  test('is about the first thing that it contains', () => {
    const payload = { payment: { entity: { id: 'pay_1' } }, order: { entity: { id: 'order_1' } } }
    const document = { event: 'order.paid', contains: ['order', 'payment'], payload, created_at: 1794744000 }

    expect(identify(razorpay({ secret }), document, { 'x-razorpay-event-id': 'E1' })).toEqual([
      { id: 'E1', type: 'order.paid', objectId: 'order_1', occurredAt: noon },
    ])
  })
})

describe('a classic call of Mollie', () => {
  const source = mollie({ secret, generation: 'classic' })
  const call = (id: string) => source.identify({ body: new URLSearchParams({ id }).toString() })

  test('is a new event each time, about the object that it names', () => {
    expect(call('tr_5B8cwPMGnU')).toMatchObject([{ type: 'payment.changed', objectId: 'tr_5B8cwPMGnU' }])
    expect(call('ord_kEn1PlbGa')).toMatchObject([{ type: 'order.changed' }])
    expect(call('re_4qqhO89gsT')).toMatchObject([{ type: 'object.changed' }])
    expect(call('tr_5B8cwPMGnU')).not.toEqual(call('tr_5B8cwPMGnU'))
    expect(source.facts.identityAdvice).toContain('Read the object')
  })

  test('is malformed when it names none', () => {
    expect(source.identify({ body: 'name=value' })).toMatchObject({ kind: 'malformed' })
  })

  test('is not taken where next-gen events are expected', () => {
    expect(mollie({ secret }).verify({ body: 'id=tr_5B8cwPMGnU' }, noon)).toMatchObject({ reason: 'signature_missing' })
    expect(() => mollie({ secret, generation: 'old' as 'classic' })).toThrow(/"generation" must be/)
  })
})

describe('an event of Coinbase Commerce', () => {
  const attempt = (id: number, number: number) => ({
    id,
    attempt_number: number,
    event: { id: 'the-event', type: 'charge:confirmed', data: { id: 'the-charge' } },
  })

  test('keeps its id over attempts, each of which has another one', () => {
    expect(identify(coinbaseCommerce({ secret }), attempt(1, 1))).toEqual([
      { id: 'the-event', type: 'charge:confirmed', deliveryId: '1', objectId: 'the-charge' },
    ])
    expect(identify(coinbaseCommerce({ secret }), attempt(2, 2))).toMatchObject([{ id: 'the-event', deliveryId: '2' }])
  })
})

describe('an event of Recurly', () => {
  const event = { id: 'obj1', object_type: 'account', event_type: 'updated', event_time: '2026-11-15T12:00:00Z' }

  test('is told apart from the next one about the same object', () => {
    expect(identify(recurly({ secret }), event)).toEqual([
      {
        id: 'account:obj1:updated:2026-11-15T12%3A00%3A00Z',
        type: 'account.updated',
        objectId: 'obj1',
        occurredAt: noon,
      },
    ])
    expect(idOf(recurly({ secret }), event)).not.toBe(
      idOf(recurly({ secret }), { ...event, event_time: '2026-11-15T12:00:01Z' }),
    )
  })

  test('can be made again from its id', () => {
    const source = recurly({ secret })
    const id = idOf(source, event)

    expect(source.identify(source.sign({ id }, new Date('2027-01-01T00:00:00Z')))).toMatchObject([{ id }])
  })
})

describe('a delivery of WooCommerce', () => {
  const source = woocommerce({ secret })
  const headers = (topic: string, delivery = 'd1', shop = 'https://a.example/') => ({
    'x-wc-webhook-source': shop,
    'x-wc-webhook-topic': topic,
    'x-wc-webhook-delivery-id': delivery,
  })
  const order = { id: 727, status: 'processing', date_modified_gmt: '2026-11-15T12:00:00' }

  test('is told apart by what the object became, not by the delivery id that two orders can share', () => {
    const updated = headers('order.updated')

    expect(identify(source, order, updated)).toMatchObject([{ objectId: '727', occurredAt: noon, deliveryId: 'd1' }])
    expect(idOf(source, order, updated)).toBe(idOf(source, order, headers('order.updated', 'd2')))
    expect(idOf(source, order, updated)).not.toBe(idOf(source, { ...order, id: 728 }, updated))
    expect(idOf(source, order, updated)).not.toBe(idOf(source, { ...order, status: 'completed' }, updated))
    expect(idOf(source, order, updated)).not.toBe(idOf(source, order, headers('order.created')))
    expect(idOf(source, order, updated)).not.toBe(
      idOf(source, order, headers('order.updated', 'd1', 'https://b.example/')),
    )
  })

  test('is a second deletion when the object was restored in between', () => {
    expect(idOf(source, { id: 727 }, headers('order.deleted', 'd1'))).not.toBe(
      idOf(source, { id: 727 }, headers('order.deleted', 'd2')),
    )
  })

  test('is a new event each time when it is about an action', () => {
    const action = { action: 'woocommerce_add_to_cart', arg: 'abc' }
    const topic = headers('action.woocommerce_add_to_cart')

    expect(idOf(source, action, topic)).not.toBe(idOf(source, action, topic))
  })
})

describe('an event of RevenueCat', () => {
  test('is about a transaction, or else about a user', () => {
    const event = { id: 'e1', type: 'TRANSFER', app_user_id: 'u1', event_timestamp_ms: 1794744000000 }

    expect(identify(revenuecat({ secret }), { event })).toEqual([
      { id: 'e1', type: 'TRANSFER', objectId: 'u1', occurredAt: noon },
    ])
    expect(identify(revenuecat({ secret }), { event: { ...event, original_transaction_id: 't1' } })).toMatchObject([
      { objectId: 't1' },
    ])
  })
})

describe('an event of Wise', () => {
  const source = wise(pemKeys('rsa').keys)
  const credit = (balance: number, sentAt = 1) => ({
    subscription_id: 's1',
    event_type: 'balances#credit',
    sent_at: sentAt,
    data: {
      resource: { id: 7 },
      amount: 5,
      post_transaction_balance_amount: balance,
      occurred_at: '2026-11-15T12:00:00Z',
    },
  })

  test('is the same one when it is sent later, under another delivery id', () => {
    expect(idOf(source, credit(10), { 'x-delivery-id': 'd1' })).toBe(
      idOf(source, credit(10, 2), { 'x-delivery-id': 'd2' }),
    )
  })

  test('is another one for the second credit within one second', () => {
    expect(idOf(source, credit(10))).not.toBe(idOf(source, credit(15)))
  })
})
