import { describe, expect, test } from 'vitest'
import { appleAppStoreV2 } from '../../src/providers/apple-app-store-v2.ts'
import { googlePlayRtdn } from '../../src/providers/google-play-rtdn.ts'
import { googlePubsubPush } from '../../src/providers/google-pubsub-push.ts'
import { netlify } from '../../src/providers/netlify.ts'
import { paypal } from '../../src/providers/paypal.ts'
import { plaid } from '../../src/providers/plaid.ts'
import { vonage } from '../../src/providers/vonage.ts'
import type { Provider } from '../../src/verify/provider.ts'
import { pemKeys } from './case-keys.ts'

const secret = 'a-secret-that-is-long-enough'
const at = new Date('2026-11-15T12:00:00Z')
const { keys: rsaKeys } = pemKeys('rsa')
const { keys: ecKeys } = pemKeys('ec')
const identifier = (source: Provider) => (payload: unknown) => source.identify({ body: JSON.stringify(payload) })

describe('a message of Pub/Sub', () => {
  const message = {
    messageId: '136969346945',
    publishTime: '2026-11-15T12:00:00Z',
    orderingKey: 'order-1',
    data: 'e30=',
  }
  const identify = identifier(googlePubsubPush({ ...rsaKeys }))

  test('is known by its id within its subscription', () => {
    expect(identify({ subscription: 'projects/acme/subscriptions/orders', message })).toEqual([
      {
        id: 'projects/acme/subscriptions/orders:136969346945',
        type: 'projects/acme/subscriptions/orders',
        deliveryId: '136969346945',
        objectId: 'order-1',
        occurredAt: at,
      },
    ])
  })

  test('of Google Play is named by what it is about, and decoded for handlers', () => {
    const source = googlePlayRtdn({ ...rsaKeys })
    const notification = {
      packageName: 'com.example.app',
      eventTimeMillis: String(at.getTime()),
      voidedPurchaseNotification: { purchaseToken: 'token-1', productType: 1 },
    }
    const data = Buffer.from(JSON.stringify(notification)).toString('base64')
    const body = JSON.stringify({ subscription: 'projects/acme/subscriptions/play', message: { ...message, data } })

    expect(source.identify({ body })).toMatchObject([
      { type: 'voidedPurchaseNotification', objectId: 'token-1', occurredAt: at },
    ])
    expect(source.readDocument?.({ body })).toMatchObject({ document: { message: { data: notification } } })
    expect(source.identify(source.sign({ type: 'subscriptionNotification.4' }, at))).toMatchObject([
      { type: 'subscriptionNotification.4' },
    ])
  })
})

describe('an event without an id of its own', () => {
  test('is new each time with Plaid, even when its bytes are not', () => {
    const identify = identifier(plaid({ ...ecKeys }))
    const event = { webhook_type: 'TRANSACTIONS', webhook_code: 'SYNC_UPDATES_AVAILABLE', item_id: 'item-1' }
    const [first, second] = [identify(event), identify(event)]

    expect(first).toMatchObject([{ type: 'TRANSACTIONS.SYNC_UPDATES_AVAILABLE', objectId: 'item-1' }])
    expect(second).not.toEqual(first)
  })

  test('is a state of a deploy with Netlify', () => {
    expect(
      identifier(netlify({ secret }))({ id: '5ebc34bf', state: 'ready', updated_at: '2026-11-15T12:00:00.000Z' }),
    ).toEqual([
      { id: '5ebc34bf:ready:2026-11-15T12%3A00%3A00.000Z', type: 'ready', objectId: '5ebc34bf', occurredAt: at },
    ])
  })

  test('is a status of a message or a call with Vonage, and a message that came in has its channel', () => {
    const identify = identifier(vonage({ secret }))
    const timestamp = '2026-11-15 12:00:00'

    expect(identify({ message_uuid: 'm1', status: 'delivered', channel: 'sms', timestamp })).toEqual([
      { id: 'm1:delivered:2026-11-15 12%3A00%3A00', type: 'delivered', objectId: 'm1', occurredAt: at },
    ])
    expect(identify({ message_uuid: 'm2', channel: 'sms', timestamp })).toMatchObject([{ type: 'sms', objectId: 'm2' }])
    expect(identify({ uuid: 'c1', status: 'answered', timestamp })).toMatchObject([
      { type: 'answered', objectId: 'c1' },
    ])
    expect(identify({ uuid: 'c1', dtmf: { digits: '1' }, timestamp })).toMatchObject([
      { type: 'event', objectId: 'c1' },
    ])
  })
})

describe('an event of PayPal', () => {
  test('keeps its id over transmissions', () => {
    const source = paypal({ ...rsaKeys, webhookId: '4JH86294D6297924G' })
    const event = { id: 'WH-1', event_type: 'PAYMENT.CAPTURE.COMPLETED', resource: { id: '42311647XV020574X' } }
    const sentAs = (transmission: string) =>
      source.identify({ body: JSON.stringify(event), headers: { 'paypal-transmission-id': transmission } })

    expect(sentAs('t1')).toMatchObject([{ id: 'WH-1', deliveryId: 't1', objectId: '42311647XV020574X' }])
    expect(sentAs('t2')).toMatchObject([{ id: 'WH-1', deliveryId: 't2' }])
  })

  test('is not proven by a CRC32, and that is said', () => {
    const { facts } = paypal({ ...rsaKeys, webhookId: '4JH86294D6297924G' })

    expect(facts.isIdSigned).toBe(false)
    expect(facts.weaknesses).toEqual([expect.stringContaining('Only a CRC32 of the body is signed')])
  })
})

describe('a notification of the App Store', () => {
  test('comes to handlers decoded, and is about the original transaction', () => {
    const source = appleAppStoreV2({ ...ecKeys, bundleId: 'com.example' })
    const transaction = `e30.${Buffer.from('{"originalTransactionId":"2000000123456789"}').toString('base64url')}.e30`
    const payload = { data: { signedTransactionInfo: transaction } }
    const delivery = source.sign({ id: 'uuid-1', type: 'DID_CHANGE_RENEWAL_STATUS.AUTO_RENEW_DISABLED', payload }, at)

    expect(source.identify(delivery)).toEqual([
      {
        id: 'uuid-1',
        type: 'DID_CHANGE_RENEWAL_STATUS.AUTO_RENEW_DISABLED',
        objectId: '2000000123456789',
        occurredAt: at,
      },
    ])
    expect(source.readDocument?.(delivery)).toMatchObject({
      kind: 'parsed',
      document: { notificationUUID: 'uuid-1', subtype: 'AUTO_RENEW_DISABLED', data: { bundleId: 'com.example' } },
    })
  })
})
