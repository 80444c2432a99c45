import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { onlyHeader } from '../../src/delivery/delivery.ts'
import { afterpay } from '../../src/providers/afterpay.ts'
import { brex } from '../../src/providers/brex.ts'
import { mollie } from '../../src/providers/mollie.ts'
import { polar } from '../../src/providers/polar.ts'
import { razorpay } from '../../src/providers/razorpay.ts'
import { recurly } from '../../src/providers/recurly.ts'
import { square } from '../../src/providers/square.ts'
import { standardWebhooks } from '../../src/providers/standard-webhooks.ts'
import { inHeader, withValues } from './provider-case.ts'

const secret = 'a-secret-that-is-long-enough'
const noon = new Date('2026-11-15T12:00:00.000Z')

describe('a signature of Mollie', () => {
  test('is taken with its prefix and without it', () => {
    const source = mollie({ secret })
    const { read, write } = inHeader('x-mollie-signature')
    const delivery = source.sign({}, noon)

    expect(read(delivery)).toMatch(/^sha256=[0-9a-f]{64}$/)
    expect(source.verify(write(delivery, [read(delivery).slice('sha256='.length)]), noon).kind).toBe('authentic')
    expect(source.verify(write(delivery, [read(delivery).replace('sha256', 'sha512')]), noon)).toMatchObject({
      reason: 'signature_malformed',
    })
  })
})

describe('a signature of Recurly', () => {
  const source = recurly({ secret })
  const delivery = source.sign({}, noon)
  const header = onlyHeader(delivery.headers, 'recurly-signature') ?? ''
  const [timestamp = '', mark = ''] = header.split(',')
  const verify = (value: string) => source.verify(withValues(delivery, 'recurly-signature', [value]), noon)

  test('is the HMAC over milliseconds, a point and the body', () => {
    const expected = createHmac('sha256', secret).update(`${noon.getTime()}.`).update(delivery.body).digest('hex')

    expect(header).toBe(`${noon.getTime()},${expected}`)
  })

  test('may be one of several', () => {
    expect(verify(`${timestamp},${'0'.repeat(64)},${mark}`).kind).toBe('authentic')
    expect(verify(`${timestamp},${'0'.repeat(64)}`)).toMatchObject({ reason: 'signature_mismatch' })
  })

  test('is malformed when what follows the time is not only signatures', () => {
    for (const value of [`${header},${header}`, `${timestamp},${mark},abc`, `${timestamp},${mark},`]) {
      expect(verify(value)).toMatchObject({ reason: 'signature_malformed' })
    }
  })
})

describe('a signature of Square', () => {
  test('is right behind a proxy once the public address is known', () => {
    const delivery = square({ secret }).sign({ url: 'https://hooks.example.com/square?tenant=7' }, noon)
    const seen = { ...delivery, url: 'http://10.0.0.1:3000/square?tenant=7' }

    expect(square({ secret }).verify(seen, noon)).toMatchObject({ reason: 'signature_mismatch' })
    expect(square({ secret, publicUrl: 'https://hooks.example.com' }).verify(seen, noon).kind).toBe('authentic')
  })
})

describe('a signature of Afterpay', () => {
  test('is over the address, the time and the body, each on a line', () => {
    const body = '{"webhook_event_id":"1","webhook_event_type":"created"}'
    const delivery = afterpay({ secret }).sign({ url: 'https://hooks.example.com/afterpay', body }, noon)

    expect(onlyHeader(delivery.headers, 'x-afterpay-request-signature')).toBe(
      createHmac('sha256', secret).update(`https://hooks.example.com/afterpay\n1794744000\n${body}`).digest('base64'),
    )
    expect(afterpay({ secret }).facts.scheme).toContain('over {url}\\n{timestamp}\\n{body} in')
  })
})

describe('a signature of Polar', () => {
  const base64 = 'b25jZWhvb2stdGVzdC1zZWNyZXQtQS0zMi1ieXRlcyE='

  test.each([`whsec_${base64}`, base64])('is taken when %s means its characters, and when it means base64', (text) => {
    const event = { id: 'msg_1', body: '{"type":"order.paid"}' }
    const characters = polar({ secret: text }).sign(event, noon)
    const standard = standardWebhooks({ secret: text }).sign(event, noon)

    expect(onlyHeader(characters.headers, 'webhook-signature')).not.toBe(
      onlyHeader(standard.headers, 'webhook-signature'),
    )
    expect(polar({ secret: text }).verify(characters, noon)).toEqual({ kind: 'authentic', secretIndex: 0 })
    expect(polar({ secret: text }).verify(standard, noon)).toEqual({ kind: 'authentic', secretIndex: 0 })
    expect(polar({ secret: ['another-secret-of-ours', text] }).verify(standard, noon)).toMatchObject({ secretIndex: 1 })
  })

  test('cannot be made with an empty key by a secret that is nothing but a prefix', () => {
    const content = 'msg_1.1794744000.{}'
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': '1794744000',
      'webhook-signature': `v1,${createHmac('sha256', '').update(content).digest('base64')}`,
    }

    expect(polar({ secret: 'whsec_' }).verify({ headers, body: '{}' }, noon)).toMatchObject({
      reason: 'signature_mismatch',
    })
  })
})

describe('a signature of Brex', () => {
  test('is that of Standard Webhooks, with a secret in plain base64', () => {
    const plain = 'b25jZWhvb2stdGVzdC1zZWNyZXQtQS0zMi1ieXRlcyE='
    const delivery = standardWebhooks({ secret: `whsec_${plain}` }).sign(
      { body: '{"event_type":"USER_UPDATED"}' },
      noon,
    )

    expect(brex({ secret: plain }).verify(delivery, noon).kind).toBe('authentic')
  })
})

describe('a signature of Razorpay', () => {
  test('with the secret from before is taken as long as that is given too', () => {
    const late = razorpay({ secret: 'the-secret-from-before' }).sign({}, noon)

    expect(razorpay({ secret }).verify(late, noon).kind).toBe('forged')
    expect(razorpay({ secret: [secret, 'the-secret-from-before'] }).verify(late, noon)).toEqual({
      kind: 'authentic',
      secretIndex: 1,
    })
  })
})
