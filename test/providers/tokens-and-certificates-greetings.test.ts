import { sign } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { awsSns } from '../../src/providers/aws-sns.ts'
import { braintree } from '../../src/providers/braintree.ts'
import { googlePlayRtdn } from '../../src/providers/google-play-rtdn.ts'
import { googlePubsubPush } from '../../src/providers/google-pubsub-push.ts'
import { monday } from '../../src/providers/monday.ts'
import { paypal } from '../../src/providers/paypal.ts'
import { plaid } from '../../src/providers/plaid.ts'
import { vonage } from '../../src/providers/vonage.ts'
import type { FetchText } from '../../src/verify/fetched-keys.ts'
import { pemKeys } from './case-keys.ts'
import { keyServer } from './key-server.ts'
import { statusOfRefusal } from './reading.ts'

const secret = 'a-secret-that-is-long-enough'
const at = new Date('2026-11-15T12:00:00Z')
const { keys: rsaKeys } = pemKeys('rsa')
const { keys: ecKeys } = pemKeys('ec')

describe('a subscription to a topic of Amazon SNS', () => {
  const topic = 'arn:aws:sns:eu-central-1:123456789012:orders'
  const address = `https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${topic}&Token=t1`
  const message = (changed: object = {}) => ({
    body: JSON.stringify({
      Type: 'SubscriptionConfirmation',
      TopicArn: topic,
      SubscribeURL: address,
      Token: 't1',
      ...changed,
    }),
  })
  const sourceWith = (fetchText: FetchText, topics: readonly string[] | undefined = [topic]) =>
    awsSns({ ...rsaKeys, topics, fetchText })

  test('is confirmed by a visit, once it is known to be authentic', async () => {
    const { asked, fetchText } = keyServer(() => '<ConfirmSubscriptionResponse/>')
    const source = sourceWith(fetchText)

    expect(await source.handshake(message(), 'before_verification')).toBeUndefined()
    expect(asked).toEqual([])
    expect(await source.handshake(message(), 'after_verification')).toEqual({ status: 200 })
    expect(asked.map((request) => request.address)).toEqual([address])
  })

  test.each([
    'https://evil.example/?Action=ConfirmSubscription',
    'https://sns.eu-central-1.amazonaws.com.evil.example/',
    'http://sns.eu-central-1.amazonaws.com/',
    'http://169.254.169.254/latest/meta-data/',
    undefined,
  ])('is not confirmed at the address %j', async (SubscribeURL) => {
    const { asked, fetchText } = keyServer(() => '')

    expect(await sourceWith(fetchText).handshake(message({ SubscribeURL }), 'after_verification')).toMatchObject({
      kind: 'malformed',
    })
    expect(asked).toEqual([])
  })

  test('is not confirmed while no topics are named', async () => {
    const { asked, fetchText } = keyServer(() => '')
    const source = awsSns({ ...rsaKeys, fetchText })

    expect(await source.handshake(message(), 'after_verification')).toMatchObject({ kind: 'malformed' })
    expect(asked).toEqual([])
  })

  test('that could not be confirmed is asked for again', async () => {
    const source = sourceWith(() => Promise.reject(new Error('the answer was 500')))

    expect(await source.handshake(message(), 'after_verification')).toMatchObject({ status: 503 })
  })

  test('is not made again by the end of one', async () => {
    const { asked, fetchText } = keyServer(() => '')
    const source = sourceWith(fetchText)
    const end = message({ Type: 'UnsubscribeConfirmation', MessageId: 'm1' })

    expect(await source.handshake(end, 'after_verification')).toBeUndefined()
    expect(source.identify(end)).toMatchObject([{ id: 'm1', type: 'UnsubscribeConfirmation' }])
    expect(asked).toEqual([])
  })

  test('of another topic is never authentic', () => {
    const stranger = awsSns({ ...rsaKeys, topics: ['arn:aws:sns:eu-central-1:999999999999:evil'] })
    const payload = { SubscribeURL: address, Token: 't1' }

    expect(
      awsSns({ ...rsaKeys, topics: [topic] }).verify(
        stranger.sign({ type: 'SubscriptionConfirmation', payload }, at),
        at,
      ),
    ).toEqual({
      kind: 'forged',
      reason: 'signature_mismatch',
      hint: 'The message is of a topic that is not among "topics".',
    })
  })

  test('has to be restricted', () => {
    expect(() => awsSns({})).toThrow(/"topics" is missing/)
    expect(() => awsSns({ topics: [] })).toThrow(/"topics" must be a list/)
    expect(() => awsSns({ topics: ['orders'] })).toThrow(/"topics" must be a list/)
    expect(awsSns({ ...rsaKeys }).warnings).toEqual([expect.stringContaining('"topics"')])
  })

  test('may be signed in either version, and in the one that it says', () => {
    const source = awsSns({ ...rsaKeys, topics: [topic] })
    const signed = (version: string) => source.sign({ payload: { SignatureVersion: version } }, at)
    const relabelled = Buffer.from(signed('1').body)
      .toString()
      .replace('"SignatureVersion":"1"', '"SignatureVersion":"2"')

    expect(source.verify(signed('1'), at).kind).toBe('authentic')
    expect(source.verify(signed('2'), at).kind).toBe('authentic')
    expect(source.verify({ ...signed('1'), body: relabelled }, at)).toMatchObject({ reason: 'signature_mismatch' })
    expect(source.verify(signed('3'), at)).toMatchObject({ reason: 'signature_malformed' })
  })
})

describe('the challenge of monday.com', () => {
  const source = monday({ secret })

  test('comes unsigned and is given back', () => {
    const body = '{"challenge":"3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P"}'

    expect(source.handshake({ body }, 'before_verification')).toEqual({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body,
    })
  })

  test.each(['{"event":{"type":"create_pulse"}}', '{"challenge":"a","event":{}}', '{"challenge":1}', 'hello'])(
    'is not what this is: %s',
    (body) => {
      expect(source.handshake({ body }, 'before_verification')).toBeUndefined()
    },
  )
})

describe('the challenge of Braintree', () => {
  const source = braintree({ secret: 'integration_private_key', publicKey: 'integration_public_key' })
  const ask = (query: string) =>
    source.handshake({ method: 'GET', url: `https://hooks.example.com/braintree?${query}` }, 'before_verification')

  test('is signed with the private key', async () => {
    expect(await ask('bt_challenge=20f9f8ed05f77439fe955c977e4c8a53')).toMatchObject({
      status: 200,
      body: 'integration_public_key|d9b899556c966b3f06945ec21311865d35df3ce4',
    })
  })

  test.each([
    '',
    'bt_challenge=',
    'bt_challenge=abc',
    `bt_challenge=${'a'.repeat(33)}`,
    'bt_challenge=PG5vdGlmaWNhdGlvbj4K',
  ])('is not signed when it is more than a challenge, or less: %j', async (query) => {
    expect(await ask(query)).toMatchObject({ kind: 'malformed' })
  })

  test('is not what a notification is', async () => {
    expect(await source.handshake({ method: 'POST', body: 'bt_payload=a' }, 'before_verification')).toBeUndefined()
  })
})

describe('a push of Google', () => {
  const own = 'pusher@acme.iam.gserviceaccount.com'
  const stranger = googlePubsubPush({ ...rsaKeys, serviceAccount: 'pusher@evil.iam.gserviceaccount.com' })

  test('for somebody else’s account is not believed, though Google signed it', () => {
    expect(googlePubsubPush({ ...rsaKeys, serviceAccount: own }).verify(stranger.sign({}, at), at)).toEqual({
      kind: 'forged',
      reason: 'signature_mismatch',
      hint: 'The claim "email" of the token is not what this source expects.',
    })
    expect(googlePubsubPush({ ...rsaKeys }).warnings).toEqual([expect.stringContaining('"serviceAccount"')])
  })

  test.each([{ email_verified: false }, { email_verified: undefined }, { iss: 'https://evil.example' }])(
    'is not believed with the claims %j',
    (changed) => {
      const source = googlePubsubPush({ ...rsaKeys, serviceAccount: own })
      const { headers, ...delivery } = source.sign({}, at)
      const [head, payload = ''] = (headers.get('authorization')?.[0] ?? '').split('.')
      const claims = { ...(JSON.parse(Buffer.from(payload, 'base64url').toString()) as object), ...changed }
      const signed = `${head?.replace('Bearer ', '')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
      const mark = sign('sha256', Buffer.from(signed), String(rsaKeys.privateKey)).toString('base64url')

      expect(source.verify({ ...delivery, headers: { authorization: `Bearer ${signed}.${mark}` } }, at)).toMatchObject({
        kind: 'forged',
        hint: expect.stringContaining(`"${Object.keys(changed)[0]}"`),
      })
    },
  )

  test('may be for an audience of one’s own', () => {
    const source = googlePubsubPush({ ...rsaKeys, serviceAccount: own, audience: 'orders' })
    const other = googlePubsubPush({ ...rsaKeys, serviceAccount: own, audience: 'invoices' })

    expect(source.verify(source.sign({ url: 'http://10.0.0.7/in' }, at), at).kind).toBe('authentic')
    expect(source.verify(other.sign({}, at), at).kind).toBe('forged')
  })

  test('is believed for an hour after its token was made, and five minutes more', () => {
    const source = googlePubsubPush({ ...rsaKeys, serviceAccount: own })
    const delivery = source.sign({}, at)
    const kindAfter = (seconds: number) => source.verify(delivery, new Date(at.getTime() + seconds * 1000)).kind

    expect([-300, 0, 3600, 3900].map(kindAfter)).toEqual(Array.from({ length: 4 }, () => 'authentic'))
    expect([-301, 3901].map(kindAfter)).toEqual(['forged', 'forged'])
  })

  test('about another app than the one that is named is refused', () => {
    const source = googlePlayRtdn({ ...rsaKeys, serviceAccount: own, packageName: 'com.example.app' })
    const other = googlePlayRtdn({ ...rsaKeys, serviceAccount: own, packageName: 'com.evil' })

    expect(source.verify(source.sign({}, at), at).kind).toBe('authentic')
    expect(source.verify(other.sign({}, at), at)).toMatchObject({ hint: expect.stringContaining('"packageName"') })
    expect(source.verify({ ...source.sign({}, at), body: '{}' }, at).kind).toBe('forged')
  })
})

describe('what is refused', () => {
  test('comes again where a 4xx would lose it', () => {
    const forged = { kind: 'forged', reason: 'signature_missing' } as const

    expect(statusOfRefusal(awsSns({ ...rsaKeys }), forged)).toBe(503)
    expect(statusOfRefusal(vonage({ secret }), forged)).toBe(503)
    expect(statusOfRefusal(paypal({ ...rsaKeys, webhookId: 'w1' }), forged)).toBe(401)
    expect(statusOfRefusal(plaid({ ...ecKeys }), forged)).toBe(401)
  })
})

describe('what is taken', () => {
  test('is answered with exactly 200 where nothing else counts', () => {
    expect(plaid({ ...ecKeys }).answer({}, 'accepted')).toEqual({ status: 200 })
    expect(monday({ secret }).answer({}, 'accepted')).toEqual({ status: 200 })
  })
})
