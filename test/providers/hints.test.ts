import { describe, expect, test } from 'vitest'
import { github } from '../../src/providers/github.ts'
import { standardWebhooks } from '../../src/providers/standard-webhooks.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { telegram } from '../../src/providers/telegram.ts'
import { twilio } from '../../src/providers/twilio.ts'
import { whatsapp } from '../../src/providers/whatsapp.ts'
import type { Provider } from '../../src/verify/provider.ts'
import type { ProviderOptions } from '../../src/verify/provider-options.ts'

const at = new Date('2026-11-15T12:00:00.000Z')
const secret = 'a-secret-that-is-long-enough'
const hint = (text: string) => ({ kind: 'forged', hint: expect.stringContaining(text) })

describe('the hint for a body that was changed on the way', () => {
  test.each([
    [
      'written again compactly',
      '{\n  "id": "evt_1",\n  "type": "a"\n}',
      '{"id":"evt_1","type":"a"}',
      'parsed and written again',
    ],
    ['written again with indentation', '{"id":"evt_1"}', '{ "id": "evt_1" }', 'parsed and written again'],
    ['written again without escapes', '{"id":"\\u00e4"}', '{"id":"ä"}', 'parsed and written again'],
    ['written again without escaped slashes', '{"id":"\\u00e4\\/"}', '{"id":"ä/"}', 'parsed and written again'],
    ['given a trailing newline', '{"id":1}', '{"id":1}\n', 'trailing newline was added'],
    ['robbed of its trailing newline', '{"id":1}\n', '{"id":1}', 'lost its trailing newline'],
    ['read by a middleware', '{"id":1}', '', 'body is empty'],
  ])('says that it was %s', (_name, signed, received, expected) => {
    const source = github({ secret })
    const delivery = { ...source.sign({ body: signed }, at), body: Buffer.from(received) }

    expect(source.verify(delivery, at)).toEqual({ ...hint(expected), reason: 'signature_mismatch' })
  })
})

describe('the hint for a secret that is not the right one', () => {
  const base64 = Buffer.from('0123456789abcdef01234567').toString('base64')

  test.each<readonly [string, (options: ProviderOptions) => Provider, string, string, string]>([
    ['has a line break', github, secret, `${secret}\n`, 'spaces, line breaks or quotes'],
    ['has quotes', telegram, secret, `"${secret}"`, 'spaces, line breaks or quotes'],
    ['is still encoded', github, '0123456789abcdef01234567', base64, 'signs with the decoded bytes'],
    ['is still in hex', github, '0123456789abcdef', Buffer.from('0123456789abcdef').toString('hex'), 'hexadecimal'],
  ])('says that it %s', (_name, create, right, configured, expected) => {
    const delivery = create({ secret: right }).sign({}, at)

    expect(create({ secret: configured }).verify(delivery, at)).toEqual({
      ...hint(expected),
      reason: expect.any(String),
    })
  })

  test('says that the sender signs with the text of what was decoded', () => {
    const { url, body, headers } = github({ secret: `whsec_${base64}` }).sign({}, at)
    const source = github({ secret: Buffer.from(base64, 'base64') })

    expect(source.verify({ url, body, headers }, at)).toMatchObject(hint('including "whsec_"'))
  })

  test.each(['sk_live_51H8', 'rk_test_51H8', 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'])(
    'says that %s is another kind of key',
    (other) => {
      const delivery = stripe({ secret }).sign({}, at)

      expect(stripe({ secret: other }).verify(delivery, at)).toMatchObject(hint('looks like a'))
    },
  )

  test('says which mode the event claims to be from when nothing else fits', () => {
    const delivery = stripe({ secret }).sign({}, at)

    expect(stripe({ secret: 'whsec_of_live_mode_endpoint' }).verify(delivery, at)).toMatchObject(hint('test mode'))
  })

  test('never holds a secret', () => {
    const delivery = stripe({ secret }).sign({}, at)
    const verdict = stripe({ secret: ` ${secret}` }).verify(delivery, at)

    expect(verdict).toMatchObject({ hint: expect.any(String) })
    expect(JSON.stringify(verdict)).not.toContain(secret)
  })
})

describe('the hint for an address that a proxy changed', () => {
  const called = 'https://hooks.example.com/in/twilio?tenant=42'

  test.each([
    ['http://hooks.example.com/in/twilio?tenant=42', {}, 'called https'],
    ['http://10.0.0.1:3000/in/twilio?tenant=42', { 'x-forwarded-host': 'hooks.example.com' }, 'another host'],
    ['https://hooks.example.com/in/twilio/?tenant=42', {}, 'slash'],
  ])('is given for %s', (url, headers, expected) => {
    const source = twilio({ secret })
    const delivery = { ...source.sign({ url: called, headers }, at), url }

    expect(source.verify(delivery, at)).toMatchObject(hint(expected))
  })

  test('is not needed once the public address is known', () => {
    const delivery = {
      ...twilio({ secret }).sign({ url: called }, at),
      url: 'http://10.0.0.1:3000/in/twilio?tenant=42',
    }

    expect(twilio({ secret, publicUrl: 'https://hooks.example.com' }).verify(delivery, at).kind).toBe('authentic')
  })
})

describe('looking for a cause', () => {
  test('accepts nothing', () => {
    const source = whatsapp({ secret })
    const delivery = { ...source.sign({ body: '{"a":1}' }, at), body: Buffer.from('{ "a": 1 }') }

    expect(source.verify(delivery, at).kind).toBe('forged')
  })

  test('is not done for large bodies', () => {
    const source = github({ secret })
    const body = JSON.stringify({ text: 'x'.repeat(300 * 1024) })
    const delivery = { ...source.sign({ body }, at), body: Buffer.from(`${body}\n`) }

    expect(source.verify(delivery, at)).toEqual({ kind: 'forged', reason: 'signature_mismatch' })
  })

  test('is done ten times a second at most', () => {
    const source = standardWebhooks({ secret: `whsec_${Buffer.alloc(24, 1).toString('base64')}` })
    const signed = source.sign({ body: '{}' }, at)
    const verdicts = Array.from({ length: 20 }, () => source.verify({ ...signed, body: Buffer.from('{}\n') }, at))
    const aSecondLater = source.verify({ ...signed, body: Buffer.from('{}\n') }, new Date(at.getTime() + 1000))

    expect(verdicts.filter((verdict) => 'hint' in verdict)).toHaveLength(10)
    expect(aSecondLater).toHaveProperty('hint')
  })
})
