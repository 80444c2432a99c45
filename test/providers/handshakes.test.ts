import { describe, expect, test } from 'vitest'
import { discord } from '../../src/providers/discord.ts'
import { github } from '../../src/providers/github.ts'
import { paddle } from '../../src/providers/paddle.ts'
import { slack } from '../../src/providers/slack.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { twilio } from '../../src/providers/twilio.ts'
import { whatsapp } from '../../src/providers/whatsapp.ts'

const secret = 'a-secret-that-is-long-enough'
const publicKey = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'

describe('the handshake of Slack', () => {
  test('gives the challenge back, but only once the signature was checked', () => {
    const delivery = { body: '{"type":"url_verification","challenge":"3eZbrw1a"}' }

    expect(slack({ secret }).handshake(delivery, 'before_verification')).toBeUndefined()
    expect(slack({ secret }).handshake(delivery, 'after_verification')).toMatchObject({
      status: 200,
      body: '{"challenge":"3eZbrw1a"}',
    })
  })

  test('is no handshake for an event', () => {
    expect(slack({ secret }).handshake({ body: '{"type":"event_callback"}' }, 'after_verification')).toBeUndefined()
  })
})

describe('the handshake of WhatsApp', () => {
  const source = whatsapp({ secret, verifyToken: 'meatyhamhock' })
  const ask = (query: string) =>
    source.handshake({ method: 'GET', url: `https://a.example/in?${query}` }, 'before_verification')

  test('gives the challenge back to whoever knows the token', () => {
    expect(ask('hub.mode=subscribe&hub.verify_token=meatyhamhock&hub.challenge=1158201444')).toMatchObject({
      status: 200,
      body: '1158201444',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    })
  })

  test.each([
    'hub.mode=subscribe&hub.verify_token=wrong&hub.challenge=1',
    'hub.mode=subscribe&hub.verify_token=&hub.challenge=1',
    'hub.mode=subscribe&hub.challenge=1',
    'hub.mode=subscribe&hub.verify_token=meatyhamhock&hub.verify_token=wrong&hub.challenge=1',
    'hub.mode=unsubscribe&hub.verify_token=meatyhamhock&hub.challenge=1',
    '',
  ])('is refused for %j', (query) => {
    expect(ask(query)).toMatchObject({ kind: 'malformed' })
  })

  test('is refused as long as no token is configured', () => {
    const url = 'https://a.example/in?hub.mode=subscribe&hub.verify_token=undefined&hub.challenge=1'

    expect(whatsapp({ secret }).handshake({ method: 'GET', url }, 'before_verification')).toMatchObject({
      kind: 'malformed',
    })
  })

  test('does not get in the way of a delivery', () => {
    expect(source.handshake({ method: 'POST', body: '{}' }, 'before_verification')).toBeUndefined()
  })

  test('cannot be set up with an empty token', () => {
    expect(() => whatsapp({ secret, verifyToken: ' ' })).toThrow(/"verifyToken" is empty/)
  })
})

describe('the handshake of Discord', () => {
  const source = discord({ publicKey })

  test('is a PING for interactions and nothing for webhook events', () => {
    expect(source.handshake({ body: '{"id":"1","type":1}' }, 'after_verification')).toMatchObject({
      status: 200,
      body: '{"type":1}',
    })
    expect(source.handshake({ body: '{"version":1,"application_id":"1","type":0}' }, 'after_verification')).toEqual({
      status: 204,
    })
  })

  test('does not mistake a webhook event for a PING', () => {
    expect(
      source.handshake({ body: '{"type":1,"event":{"type":"ENTITLEMENT_CREATE"}}' }, 'after_verification'),
    ).toBeUndefined()
  })
})

describe('the answer', () => {
  test.each([
    [2, '{"type":5}'],
    [3, '{"type":6}'],
    [4, '{"type":8,"data":{"choices":[]}}'],
    [5, '{"type":5}'],
  ])('to a Discord interaction of type %i is %s', (type, body) => {
    expect(discord({ publicKey }).answer({ body: JSON.stringify({ id: '1', type }) }, 'accepted')).toMatchObject({
      status: 200,
      body,
    })
  })

  test('to a Discord webhook event is 204', () => {
    expect(discord({ publicKey }).answer({ body: '{"type":1,"event":{}}' }, 'accepted')).toEqual({ status: 204 })
  })

  test('to Paddle, WhatsApp and Slack is exactly 200, for duplicates and what is ignored too', () => {
    for (const source of [paddle({ secret }), whatsapp({ secret }), slack({ secret })]) {
      for (const situation of ['accepted', 'processed', 'duplicate', 'ignored'] as const) {
        expect(source.answer({}, situation)).toEqual({ status: 200 })
      }
    }
  })

  test('to Twilio holds no instructions', () => {
    expect(twilio({ secret }).answer({}, 'accepted')).toEqual({
      status: 200,
      headers: { 'content-type': 'text/xml' },
      body: '<Response/>',
    })
  })

  test('to Stripe and GitHub is ours', () => {
    expect(stripe({ secret }).answer({}, 'accepted')).toBeUndefined()
    expect(github({ secret }).answer({}, 'accepted')).toBeUndefined()
  })
})
