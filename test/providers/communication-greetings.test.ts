import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { line } from '../../src/providers/line.ts'
import { mailchimp } from '../../src/providers/mailchimp.ts'
import { mailgun } from '../../src/providers/mailgun.ts'
import { messenger } from '../../src/providers/messenger.ts'
import { plivo } from '../../src/providers/plivo.ts'
import { postmark } from '../../src/providers/postmark.ts'
import { sendgrid } from '../../src/providers/sendgrid.ts'
import { telnyx } from '../../src/providers/telnyx.ts'
import { twitchEventsub } from '../../src/providers/twitch-eventsub.ts'
import { viber } from '../../src/providers/viber.ts'
import { workos } from '../../src/providers/workos.ts'
import { zoom } from '../../src/providers/zoom.ts'
import { ed25519Pair, pemKeys } from './case-keys.ts'
import { at } from './provider-case.ts'

const secret = 'a-secret-that-is-long-enough'
const otherSecret = 'another-secret-that-is-long-enough'

describe('the validation of an address by Zoom', () => {
  const validation = {
    event: 'endpoint.url_validation',
    payload: { plainToken: 'qgg8vlvZRS6UYooatFL8Aw' },
    event_ts: 1,
  }
  const delivery = { body: JSON.stringify(validation) }
  const proofWith = (key: string) => createHmac('sha256', key).update('qgg8vlvZRS6UYooatFL8Aw').digest('hex')

  test('is answered with the token and its HMAC', async () => {
    expect(await zoom({ secret }).handshake(delivery, 'after_verification')).toEqual({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ plainToken: 'qgg8vlvZRS6UYooatFL8Aw', encryptedToken: proofWith(secret) }),
    })
  })

  test('is not answered before it is verified, or anybody could have any text signed', () => {
    expect(zoom({ secret }).handshake(delivery, 'before_verification')).toBeUndefined()
  })

  test('is answered with the secret that signed it, while two are live', async () => {
    const source = zoom({ secret: [otherSecret, secret] })
    const signed = zoom({ secret }).sign({ body: delivery.body }, at)
    const secrets = await source.secretsFor(signed)
    const verdict = source.verify(signed, at, secrets)
    const signedWith = secrets[verdict.kind === 'authentic' ? verdict.secretIndex : -1]

    expect(await source.handshake(signed, 'after_verification', [signedWith])).toMatchObject({
      body: expect.stringContaining(proofWith(secret)),
    })
  })

  test('is answered with a secret that is looked up', async () => {
    const source = zoom({ secret: () => Promise.resolve(secret) })

    expect(await source.handshake(delivery, 'after_verification')).toMatchObject({
      body: expect.stringContaining(proofWith(secret)),
    })
  })

  test('is malformed without a token, and without a secret', async () => {
    const empty = { body: '{"event":"endpoint.url_validation","payload":{}}' }

    expect(await zoom({ secret }).handshake(empty, 'after_verification')).toMatchObject({ kind: 'malformed' })
    expect(await zoom({ unverified: true }).handshake(delivery, 'after_verification')).toMatchObject({
      kind: 'malformed',
    })
  })

  test('does not get in the way of an event, nor asks for a secret', () => {
    const lookUp = () => {
      throw new Error('asked')
    }

    expect(zoom({ secret: lookUp }).handshake({ body: '{"event":"meeting.started"}' }, 'after_verification')).toBe(
      undefined,
    )
  })
})

describe('the challenge of Twitch', () => {
  const source = twitchEventsub({ secret: 'twitch-secret-5f2c9d' })
  const subscription =
    '{"id":"f1c2a387-161a-49f9-a165-0f21d7a4e1c4","status":"webhook_callback_verification_pending","type":"channel.follow","version":"2","cost":1,"condition":{"broadcaster_user_id":"12826"},"transport":{"method":"webhook","callback":"https://hooks.example.com/twitch-eventsub"},"created_at":"2026-11-15T18:39:50.634234626Z"}'
  const delivery = {
    headers: {
      'content-type': 'application/json',
      'twitch-eventsub-message-id': 'e76c6bd4-55c9-4987-8304-da1588d8988c',
      'twitch-eventsub-message-timestamp': '2026-11-15T18:39:51.123456789Z',
      'twitch-eventsub-message-type': 'webhook_callback_verification',
      'twitch-eventsub-subscription-type': 'channel.follow',
      'twitch-eventsub-message-signature': 'sha256=1009062d0be5fb0014761ebbbc66f357412bd52db2534ba87200bc880f56cc2f',
    },
    body: `{"challenge":"pogchamp-kappa-360noscope-vohiyo","subscription":${subscription}}`,
  }

  test('is signed like any message, and given back as plain text', () => {
    expect(source.verify(delivery, new Date('2026-11-15T18:40:00Z')).kind).toBe('authentic')
    expect(source.handshake(delivery, 'after_verification')).toMatchObject({
      status: 200,
      headers: { 'content-type': expect.stringMatching(/^text\/plain/) },
      body: 'pogchamp-kappa-360noscope-vohiyo',
    })
  })

  test('is not given back to somebody who did not sign it', () => {
    expect(source.handshake(delivery, 'before_verification')).toBeUndefined()
  })

  test('is no answer to an event', () => {
    const event = source.sign({}, at)

    expect(source.handshake(event, 'after_verification')).toBeUndefined()
  })
})

describe('the subscription by Messenger', () => {
  const source = messenger({ secret, verifyToken: 'meatyhamhock' })
  const ask = (token: string) =>
    source.handshake(
      { method: 'GET', url: `https://a.example/in?hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=1158` },
      'before_verification',
    )

  test('gives the challenge back to whoever knows the token', () => {
    expect(source.methods).toContain('GET')
    expect(ask('meatyhamhock')).toMatchObject({ status: 200, body: '1158' })
    expect(ask('wrong')).toMatchObject({ kind: 'malformed' })
  })

  test('cannot be set up with an empty token', () => {
    expect(() => messenger({ secret, verifyToken: ' ' })).toThrow(/"verifyToken" is empty/)
  })
})

describe('the question whether an address is alive', () => {
  test('is a GET of Mailchimp, which needs no secret', () => {
    const source = mailchimp({ secret })

    expect(source.methods).toEqual(['POST', 'GET'])
    expect(source.handshake({ method: 'GET' }, 'before_verification')).toEqual({ status: 200 })
    expect(source.handshake({ method: 'POST' }, 'before_verification')).toBeUndefined()
  })

  test('is a signed event "webhook" of Viber', () => {
    const body = '{"event":"webhook","timestamp":1457764197627,"message_token":241256543215}'

    expect(viber({ secret }).handshake({ body }, 'before_verification')).toBeUndefined()
    expect(viber({ secret }).handshake({ body }, 'after_verification')).toEqual({ status: 200 })
    expect(viber({ secret }).handshake({ body: '{"event":"message"}' }, 'after_verification')).toBeUndefined()
  })

  test('is a signed list without events of LINE and SendGrid', () => {
    const [chat, mail] = [line({ secret }), sendgrid(pemKeys('ec').keys)]

    expect(chat.handshake({ body: '{"destination":"U1","events":[]}' }, 'after_verification')).toEqual({ status: 200 })
    expect(chat.handshake({ body: '{"destination":"U1","events":[{}]}' }, 'after_verification')).toBeUndefined()
    expect(mail.handshake({ body: '[]' }, 'after_verification')).toEqual({ status: 200 })
    expect(mail.handshake({ body: '[{}]' }, 'after_verification')).toBeUndefined()
  })
})

describe('the answer', () => {
  const exact = [
    workos({ secret }),
    mailgun({ secret }),
    postmark({ secret: 'hooks:a-password-that-is-long-enough' }),
    viber({ secret }),
    messenger({ secret }),
    zoom({ secret }),
    telnyx({ publicKey: ed25519Pair.publicKey }),
  ]

  test.each(exact)('to $name is exactly 200, without a body', (source) => {
    for (const situation of ['accepted', 'processed', 'duplicate', 'ignored'] as const) {
      expect(source.answer({}, situation)).toEqual({ status: 200 })
    }
  })

  test('to Plivo holds no instructions', () => {
    expect(plivo({ secret }).answer({}, 'accepted')).toEqual({
      status: 200,
      headers: { 'content-type': 'text/xml' },
      body: '<Response/>',
    })
  })
})

describe('a refusal', () => {
  test('has no status that ends the retries of Postmark (403), Mailgun (406) or the webhook of Mailchimp (410)', () => {
    for (const source of [
      postmark({ unverified: true }),
      mailgun({ unverified: true }),
      mailchimp({ unverified: true }),
    ]) {
      expect(source.refusalStatus).toEqual({})
    }
  })
})
