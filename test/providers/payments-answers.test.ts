import { describe, expect, test } from 'vitest'
import { answerOf } from '../../src/delivery/answer.ts'
import { gocardless } from '../../src/providers/gocardless.ts'
import { intuitQuickbooks } from '../../src/providers/intuit-quickbooks.ts'
import { klarna } from '../../src/providers/klarna.ts'
import { lemonsqueezy } from '../../src/providers/lemonsqueezy.ts'
import { mollie } from '../../src/providers/mollie.ts'
import { revenuecat } from '../../src/providers/revenuecat.ts'
import { square } from '../../src/providers/square.ts'
import { wise } from '../../src/providers/wise.ts'
import { woocommerce } from '../../src/providers/woocommerce.ts'
import { xero } from '../../src/providers/xero.ts'
import type { Provider } from '../../src/verify/provider.ts'
import { pemKeys } from './case-keys.ts'

const secret = 'a-secret-that-is-long-enough'
const noon = new Date('2026-11-15T12:00:00.000Z')
const rsaKeys = pemKeys('rsa')

/** What a sender is told whose delivery is refused. */
function refusalOf(source: Provider, outcome: Parameters<typeof answerOf>[0]) {
  return answerOf(outcome, { taken: () => undefined, refused: source.refusalStatus })
}

describe('the intent to receive of Xero', () => {
  const source = xero({ secret })
  const body = '{"events":[],"lastEventSequence":0,"firstEventSequence":0,"entropy":"S0m3r4Nd0mt3xt"}'

  test('is answered 200 without a body when it is signed rightly', () => {
    const delivery = source.sign({ body }, noon)

    expect(source.verify(delivery, noon).kind).toBe('authentic')
    expect(source.handshake(delivery, 'before_verification')).toBeUndefined()
    expect(source.handshake(delivery, 'after_verification')).toEqual({ status: 200 })
  })

  test('is answered 401 without a body when it is signed wrongly', () => {
    const verdict = source.verify(xero({ secret: 'another-secret-that-is-long' }).sign({ body }, noon), noon)

    expect(verdict).toMatchObject({ kind: 'forged' })
    expect(refusalOf(source, { kind: 'forged', reason: 'signature_mismatch' })).toEqual({ status: 401 })
  })

  test('is none when there are events', () => {
    expect(source.handshake(source.sign({}, noon), 'after_verification')).toBeUndefined()
    expect(source.handshake({ body: '{"events":{}}' }, 'after_verification')).toBeUndefined()
  })
})

describe('a batch without events', () => {
  test('is greeted, not refused', () => {
    expect(gocardless({ secret }).handshake({ body: '{"events":[]}' }, 'after_verification')).toEqual({ status: 200 })
    for (const body of ['[]', '{"eventNotifications":[]}']) {
      expect(intuitQuickbooks({ secret }).handshake({ body }, 'after_verification')).toEqual({ status: 200 })
    }
  })
})

describe('the ping of WooCommerce', () => {
  const source = woocommerce({ secret })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const ask = (body: string, more: Record<string, string> = {}) =>
    source.handshake({ method: 'POST', headers: { ...headers, ...more }, body }, 'before_verification')

  test('is answered 200 although it is not signed', () => {
    expect(ask('webhook_id=142')).toEqual({ status: 200 })
  })

  test.each(['webhook_id=', 'webhook_id=abc', 'id=142', ''])('is none for the body %j', (body) => {
    expect(ask(body)).toBeUndefined()
  })

  test('is none for a delivery, whatever its body is', () => {
    expect(ask('webhook_id=142', { 'x-wc-webhook-topic': 'order.updated' })).toBeUndefined()
    expect(ask('{"id":727}', { 'content-type': 'application/json' })).toBeUndefined()
  })
})

describe('a test notification of Wise', () => {
  test('is answered 200 and goes no further, signed or not', () => {
    const source = wise(rsaKeys.keys)

    expect(source.handshake({ headers: { 'x-test-notification': 'true' } }, 'before_verification')).toEqual({
      status: 200,
    })
    expect(source.handshake(source.sign({}, noon), 'before_verification')).toBeUndefined()
  })
})

describe('an answer', () => {
  test.each([
    ['Xero', xero({ secret })],
    ['Mollie', mollie({ secret })],
    ['Mollie, classic', mollie({ secret, generation: 'classic' })],
    ['Lemon Squeezy', lemonsqueezy({ secret })],
    ['QuickBooks', intuitQuickbooks({ secret })],
    ['RevenueCat', revenuecat({ secret })],
    ['Wise', wise(rsaKeys.keys)],
  ] as const)('to %s is exactly 200, for duplicates and what is ignored too', (_name, source) => {
    for (const situation of ['accepted', 'processed', 'duplicate', 'ignored'] as const) {
      expect(source.answer({}, situation)).toEqual({ status: 200 })
    }
  })

  test('to Klarna and Square is ours', () => {
    expect(klarna({ secret }).answer({}, 'accepted')).toBeUndefined()
    expect(square({ secret }).answer({}, 'accepted')).toBeUndefined()
  })

  test('to what Wise sends and we refuse is 503, as it would soon stop after a 4xx', () => {
    const source = wise(rsaKeys.keys)

    expect(refusalOf(source, { kind: 'forged', reason: 'signature_mismatch' }).status).toBe(503)
    expect(refusalOf(source, { kind: 'malformed', detail: 'No id.' }).status).toBe(503)
  })
})
