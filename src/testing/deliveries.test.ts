import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { defineProvider, field, hmac, plain, signature } from '../index.ts'
import { discord } from '../providers/discord.ts'
import { stripe } from '../providers/stripe.ts'
import { twilio } from '../providers/twilio.ts'
import { deliveries, deliveriesOf } from './deliveries.ts'
import { testKeys } from './test-keys.ts'

describe('a delivery', () => {
  test('has the fields and options of the test in the right places', () => {
    const paid = deliveries.stripe(
      'invoice.paid',
      { id: 'in_1', lines: { data: [] } },
      { id: 'evt_1', envelope: { livemode: true }, occurredAt: new Date(0), headers: { 'X-Trace': 'abc' } },
    )

    expect(JSON.parse(paid.text)).toMatchObject({
      id: 'evt_1',
      livemode: true,
      created: 0,
      data: { object: { id: 'in_1', lines: { object: 'list', data: [] }, amount_paid: 4200 } },
    })
    expect(paid).toMatchObject({ provider: 'stripe', id: 'evt_1', type: 'invoice.paid', objectId: 'in_1' })
    expect(paid.headers['x-trace']).toBe('abc')
  })

  test('of a type without a sample is what the provider sends of every type, with the fields over it', () => {
    const failed = deliveries.stripe('invoice.payment_failed', { attempt_count: 3 })

    expect(JSON.parse(failed.text)).toMatchObject({
      type: 'invoice.payment_failed',
      data: { object: { object: 'invoice', attempt_count: 3 } },
    })
  })

  test('is a request with the same bytes, signed for the address that it is sent to', async () => {
    const message = deliveries.twilio('message.delivered')
    const address = 'https://shop.example.com/hooks?tenant=1'
    const source = twilio(testKeys('twilio'))

    const request = message.request(address)
    const received = {
      method: request.method,
      url: request.url,
      headers: request.headers,
      body: new Uint8Array(await request.arrayBuffer()),
    }

    expect(source.verify(received, new Date()).kind).toBe('authentic')
    expect(source.verify({ ...received, url: message.url }, new Date()).kind).toBe('forged')
    expect(Buffer.from(received.body).equals(message.body)).toBe(true)
  })

  test('comes again with the same bytes and another signature', () => {
    const push = deliveries.stripe('invoice.paid', {}, { at: new Date('2026-01-01') })

    const again = push.again({ at: new Date('2026-01-02') })

    expect(again.body.equals(push.body)).toBe(true)
    expect(again.id).toBe(push.id)
    expect(again.headers['stripe-signature']).not.toBe(push.headers['stripe-signature'])
  })

  test('is another one each time, and the same for the same seed', () => {
    const at = new Date('2026-01-01')

    expect(deliveries.github().id).not.toBe(deliveries.github().id)
    expect(deliveries.github('push', {}, { seed: 1, at }).body).toEqual(
      deliveries.github('push', {}, { seed: 1, at }).body,
    )
  })

  test('is made for a provider of one’s own', () => {
    const acme = defineProvider({
      name: 'acme',
      scheme: signature({ header: 'x-acme', format: plain({ algorithm: hmac('sha256'), encoding: 'hex' }) }),
      identify: ({ document }) => ({ id: field(document, 'id'), type: field(document, 'type') }),
    })({ secret: 'a secret that acme knows' })

    const created = deliveriesOf(acme)('order.created', { total: 5 }, { id: 'order_1' })

    expect(JSON.parse(created.text)).toMatchObject({ id: 'order_1', type: 'order.created', total: 5 })
    expect(acme.verify(created.tampered(), new Date()).kind).toBe('forged')
    expect(() => deliveriesOf(acme)('order.created', {}, { secret: 'x' })).toThrow(/belongs into the options/)
  })

  test('is signed with the secret or the private key that the test gives', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const pem = (key: KeyObject, type: 'spki' | 'pkcs8'): string =>
      key.export({ type, format: 'pem' } as never).toString()
    const [publicPem, privatePem] = [pem(publicKey, 'spki'), pem(privateKey, 'pkcs8')]

    const command = deliveries.discord(undefined, {}, { secret: privatePem })
    const paid = deliveries.stripe('invoice.paid', {}, { secret: 'whsec_of_the_staging_server' })

    expect(discord({ publicKey: publicPem }).verify(command, new Date()).kind).toBe('authentic')
    expect(discord(testKeys('discord')).verify(command, new Date()).kind).toBe('forged')
    expect(stripe({ secret: 'whsec_of_the_staging_server' }).verify(paid, new Date()).kind).toBe('authentic')
  })

  test('names what is wrong with its options', () => {
    expect(() => deliveries.stripe('invoice.paid', {}, { at: new Date('never') })).toThrow(/"at" is not a date/)
  })
})

describe('the keys of tests', () => {
  test('are the same in every process where they are secrets', () => {
    expect(testKeys('stripe')).toEqual({ secret: expect.stringMatching(/^whsec_/) })
    expect(testKeys('stripe').secret).not.toBe(testKeys('github').secret)
    expect(testKeys('discord')).toMatchObject({ publicKey: expect.stringContaining('PUBLIC KEY') })
  })
})
