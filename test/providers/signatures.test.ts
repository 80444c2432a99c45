import { describe, expect, test } from 'vitest'
import { onlyHeader } from '../../src/delivery/delivery.ts'
import { discord } from '../../src/providers/discord.ts'
import { github } from '../../src/providers/github.ts'
import { paddle } from '../../src/providers/paddle.ts'
import { shopify } from '../../src/providers/shopify.ts'
import { standardWebhooks } from '../../src/providers/standard-webhooks.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { twilio } from '../../src/providers/twilio.ts'
import { at, withValues } from './provider-case.ts'

const secret = 'a-secret-that-is-long-enough'
const wrong = '0'.repeat(64)

describe('a Stripe signature', () => {
  const source = stripe({ secret })
  const delivery = source.sign({}, at)
  const [time = '', right = ''] = (onlyHeader(delivery.headers, 'stripe-signature') ?? '').split(',')
  const verify = (header: string) => source.verify(withValues(delivery, 'stripe-signature', [header]), at)

  test('may be any of several, as there is one per live secret', () => {
    expect(verify(`${time},${right},v1=${wrong}`).kind).toBe('authentic')
    expect(verify(`${time},v1=${wrong},${right},v0=${wrong}`).kind).toBe('authentic')
    expect(verify(`${time},v1=${wrong},v1=${wrong}`)).toMatchObject({ reason: 'signature_mismatch' })
  })

  test('must be of the current version', () => {
    expect(verify(`${time},${right.replace('v1', 'v0')}`)).toMatchObject({ reason: 'signature_missing' })
  })

  test('may not come in such numbers that checking them is work', () => {
    expect(verify(`${time},${`v1=${wrong},`.repeat(16)}${right}`)).toMatchObject({ reason: 'signature_malformed' })
  })

  test('has one timestamp', () => {
    expect(verify(right)).toMatchObject({ reason: 'timestamp_missing' })
    expect(verify(`${time},t=1,${right}`)).toMatchObject({ reason: 'timestamp_malformed' })
  })
})

describe('a Paddle signature', () => {
  test('is the last one of several', () => {
    const source = paddle({ secret })
    const delivery = source.sign({}, at)
    const [time = '', right = ''] = (onlyHeader(delivery.headers, 'paddle-signature') ?? '').split(';')
    const verify = (header: string) => source.verify(withValues(delivery, 'paddle-signature', [header]), at)

    expect(verify(`${time};h1=${wrong};${right}`).kind).toBe('authentic')
    expect(verify(`${time};${right};h1=${wrong}`)).toMatchObject({ reason: 'signature_mismatch' })
  })
})

describe('a Standard Webhooks signature', () => {
  const source = standardWebhooks({ secret: `whsec_${Buffer.alloc(24, 7).toString('base64')}` })
  const delivery = source.sign({}, at)
  const right = onlyHeader(delivery.headers, 'webhook-signature') ?? ''
  const verify = (header: string) => source.verify(withValues(delivery, 'webhook-signature', [header]), at)

  test('may stand among others of any version', () => {
    expect(verify(`v2,abc v1,${Buffer.alloc(32).toString('base64')} ${right}`).kind).toBe('authentic')
  })

  test('is nothing without its digest', () => {
    expect(verify('v1,')).toMatchObject({ reason: 'signature_malformed' })
    expect(verify('v2,abc')).toMatchObject({ reason: 'signature_missing' })
  })

  test('covers the id', () => {
    expect(source.verify(withValues(delivery, 'webhook-id', ['msg_other']), at)).toMatchObject({
      reason: 'signature_mismatch',
    })
    expect(source.verify(withValues(delivery, 'webhook-id', []), at)).toMatchObject({ reason: 'signature_missing' })
    expect(source.verify(withValues(delivery, 'webhook-id', ['a', 'b']), at)).toMatchObject({
      reason: 'signature_repeated',
    })
  })
})

describe('a Twilio signature', () => {
  const source = twilio({ secret })
  const url = 'https://hooks.example.com/in/twilio?tenant=42'

  test('covers a JSON body by its hash in the address', () => {
    const delivery = source.sign({ url, body: '[{"id":"EZ1"}]', headers: { 'content-type': 'application/json' } }, at)

    expect(delivery.url).toMatch(/&bodySHA256=[0-9a-f]{64}$/)
    expect(source.verify(delivery, at).kind).toBe('authentic')
    expect(source.verify({ ...delivery, body: '[{"id":"EZ2"}]' }, at)).toMatchObject({ reason: 'signature_mismatch' })
    expect(source.verify({ ...delivery, url }, at)).toMatchObject({ reason: 'signature_mismatch' })
  })

  test('is right with and without the default port in the address', () => {
    const delivery = source.sign({ url }, at)
    const withPort = source.sign({ url: url.replace('.com', '.com:443') }, at)

    expect(source.verify({ ...delivery, url: withPort.url }, at).kind).toBe('authentic')
    expect(source.verify({ ...withPort, url }, at).kind).toBe('authentic')
  })

  test('takes repeated fields once each, whatever their order', () => {
    const delivery = source.sign({ url, body: 'b=2&a=1&b=1&b=2' }, at)

    expect(source.verify({ ...delivery, body: 'a=1&b=1&b=2' }, at).kind).toBe('authentic')
  })
})

describe('a signature in hexadecimal', () => {
  const shout = (text: string | undefined) =>
    (text ?? '').replaceAll(/[a-f](?=[0-9a-f]*$)/g, (digit) => digit.toUpperCase())

  test('is lower case for GitHub, and either for Discord', () => {
    const hook = github({ secret })
    const app = discord({
      publicKey: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
      privateKey: '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    })
    const [push, command] = [hook.sign({}, at), app.sign({}, at)]
    const shouted = shout(onlyHeader(command.headers, 'x-signature-ed25519'))

    expect(
      hook.verify(
        withValues(push, 'x-hub-signature-256', [shout(onlyHeader(push.headers, 'x-hub-signature-256'))]),
        at,
      ),
    ).toMatchObject({
      reason: 'signature_malformed',
    })
    expect(app.verify(withValues(command, 'x-signature-ed25519', [shouted]), at).kind).toBe('authentic')
  })
})

describe('a Shopify signature', () => {
  test('may come in the header without x-', () => {
    const source = shopify({ secret })
    const delivery = source.sign({}, at)
    const mark = onlyHeader(delivery.headers, 'x-shopify-hmac-sha256') ?? ''
    const renamed = withValues(withValues(delivery, 'x-shopify-hmac-sha256', []), 'shopify-hmac-sha256', [mark])

    expect(source.verify(renamed, at).kind).toBe('authentic')
  })
})
