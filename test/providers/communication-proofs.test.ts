import { describe, expect, test } from 'vitest'
import { clerk } from '../../src/providers/clerk.ts'
import { mailgun } from '../../src/providers/mailgun.ts'
import { openai } from '../../src/providers/openai.ts'
import { plivo } from '../../src/providers/plivo.ts'
import { resend } from '../../src/providers/resend.ts'
import { segment } from '../../src/providers/segment.ts'
import { sendgrid } from '../../src/providers/sendgrid.ts'
import { standardWebhooks } from '../../src/providers/standard-webhooks.ts'
import { svix } from '../../src/providers/svix.ts'
import { twitchEventsub } from '../../src/providers/twitch-eventsub.ts'
import { workos } from '../../src/providers/workos.ts'
import { withHeaders } from '../../src/verify/scheme.ts'
import { pemKeys } from './case-keys.ts'
import { at, inBody, inHeader } from './provider-case.ts'

const secret = 'whsec_b25jZWhvb2stdGVzdC1zZWNyZXQtQS0zMi1ieXRlcyE='
const otherSecret = 'whsec_d3Jvbmctc2VjcmV0LXdyb25nLXNlY3JldC0wMDAwMDA='
const text = (body: Uint8Array) => Buffer.from(body).toString('utf8')

describe('a message of Svix', () => {
  const unbranded = standardWebhooks({ secret }).sign({ id: 'msg_1' }, at)

  test('may come under the names of Standard Webhooks', () => {
    expect(svix({ secret }).verify(unbranded, at).kind).toBe('authentic')
    expect(svix({ secret }).identify(unbranded)).toMatchObject([{ id: 'msg_1' }])
  })

  test('may not come so to Clerk and Resend, whose own libraries insist on svix-…', () => {
    expect(clerk({ secret }).verify(unbranded, at)).toMatchObject({ reason: 'signature_missing' })
    expect(resend({ secret }).verify(unbranded, at)).toMatchObject({ reason: 'signature_missing' })
  })

  test('does not become a new event by an id under the names that were not verified', () => {
    const again = withHeaders(unbranded, { 'svix-id': 'msg_new' })
    const branded = withHeaders(svix({ secret }).sign({ id: 'msg_2' }, at), { 'webhook-id': 'msg_new' })

    expect(svix({ secret }).verify(again, at).kind).toBe('authentic')
    expect(svix({ secret }).identify(again)).toMatchObject([{ id: 'msg_1' }])
    expect(svix({ secret }).identify(branded)).toMatchObject([{ id: 'msg_2' }])
  })

  test('is judged by svix-… alone if both are there', () => {
    const both = withHeaders(unbranded, {
      'svix-id': 'msg_1',
      'svix-timestamp': '1794744000',
      'svix-signature': 'v1,AA',
    })

    expect(svix({ secret }).verify(both, at).kind).toBe('forged')
  })
})

describe('an event of OpenAI', () => {
  const source = openai({ secret })
  const delivery = source.sign({}, at)
  const signature = inHeader('webhook-signature')

  test('may have a signature without its version, as its own library allows', () => {
    const bare = signature.read(delivery).replace('v1,', '')

    expect(source.verify(signature.write(delivery, [bare]), at).kind).toBe('authentic')
  })

  test('may have several signatures, of which one is ours', () => {
    const other = signature.read(openai({ secret: otherSecret }).sign({}, at))
    const both = `v2,abc ${other} ${signature.read(delivery)}`

    expect(source.verify(signature.write(delivery, [both]), at).kind).toBe('authentic')
  })

  test('is signed with the text of a secret that has no prefix', () => {
    const base64 = secret.replace('whsec_', '')

    expect(openai({ secret: base64 }).verify(delivery, at)).toMatchObject({ reason: 'signature_mismatch' })
    expect(openai({ secret: Buffer.from(base64, 'base64') }).verify(delivery, at).kind).toBe('authentic')
  })
})

describe('an event of WorkOS', () => {
  test('has its time in milliseconds and a space behind the comma, which need not be there', () => {
    const source = workos({ secret })
    const place = inHeader('workos-signature')
    const delivery = source.sign({}, at)

    expect(place.read(delivery)).toMatch(/^t=1794744000000, v1=[0-9a-f]{64}$/)
    expect(source.verify(place.write(delivery, [place.read(delivery).replace(' ', '')]), at).kind).toBe('authentic')
  })
})

describe('a batch of SendGrid', () => {
  test('is signed with its line breaks, and the developer is told if they are lost', () => {
    const source = sendgrid(pemKeys('ec').keys)
    const delivery = source.sign({}, at)

    expect(text(delivery.body)).toMatch(/\r\n$/)
    expect(source.verify({ ...delivery, body: text(delivery.body).trim() }, at)).toMatchObject({
      reason: 'signature_mismatch',
      hint: expect.stringContaining('trailing newline'),
    })
  })
})

describe('a message of Twitch', () => {
  test('is of the type that was signed, whatever its headers say', () => {
    const source = twitchEventsub({ secret })
    const delivery = source.sign({ type: 'channel.follow' }, at)

    const changed = withHeaders(delivery, {
      'twitch-eventsub-subscription-type': 'channel.cheer',
      'twitch-eventsub-message-type': 'revocation',
    })

    expect(source.verify(changed, at).kind).toBe('authentic')
    expect(source.identify(changed)).toMatchObject([{ type: 'channel.follow' }])
  })
})

describe('an event of Mailgun', () => {
  const source = mailgun({ secret })
  const delivery = source.sign({}, at)
  const parent = inBody('signature.parent-signature')

  test('is not covered by the signature beside it, and the facts say so', () => {
    const changed = inBody('event-data.recipient').write(delivery, ['mallory@example.com'])

    expect(source.verify(changed, at).kind).toBe('authentic')
    expect(source.facts).toMatchObject({ isBodySigned: false, isIdSigned: false })
    expect(source.facts.weaknesses.join()).toContain('Only the time and a random token are signed')
  })

  test('may be signed by the primary account in place of the subaccount', () => {
    const signature = inBody('signature.signature')
    const ofBoth = parent.write(mailgun({ secret: otherSecret }).sign({ body: text(delivery.body) }, at), [
      signature.read(delivery),
    ])

    expect(source.verify(ofBoth, at).kind).toBe('authentic')
    expect(source.verify(parent.write(ofBoth, ['00'.repeat(32)]), at)).toMatchObject({ reason: 'signature_mismatch' })
  })

  test('may have its time as a number', () => {
    const body = text(delivery.body).replace('"timestamp":"1794744000"', '"timestamp":1794744000')

    expect(body).not.toBe(text(delivery.body))
    expect(source.verify({ ...delivery, body }, at).kind).toBe('authentic')
  })

  test.each(['{', '[]', '"text"', '{"signature":null}', '{"signature":{"signature":{}}}'])(
    'is forged if its body is %s',
    (body) => {
      expect(source.verify({ body }, at)).toEqual({ kind: 'forged', reason: 'signature_missing' })
    },
  )
})

describe('a callback of Plivo', () => {
  const source = plivo({ secret })
  const url = 'https://hooks.example.com/plivo?lang=de&a=1&a=0'
  const body = 'CallUUID=c1&Event=Hangup&Note=Gr%C3%BC%C3%9Fe'
  const delivery = source.sign({ url, body }, at)
  const older = plivo({ secret, signatureVersion: 'v2' })

  test('is signed with its query and form in order, so their order does not matter', () => {
    const inOtherOrder = { url: 'https://hooks.example.com/plivo?a=0&a=1&lang=de', body: `Event=Hangup&${body}` }

    expect(source.verify({ ...delivery, url: inOtherOrder.url }, at).kind).toBe('authentic')
    expect(source.verify({ ...delivery, body: 'Note=Gr%C3%BC%C3%9Fe&Event=Hangup&CallUUID=c1' }, at).kind).toBe(
      'authentic',
    )
    expect(source.verify({ ...delivery, body: inOtherOrder.body }, at).kind).toBe('forged')
  })

  test.each([
    'https://hooks.example.com/plivo?lang=en&a=1&a=0',
    'https://hooks.example.com/plivo?lang=de&a=1',
    'https://hooks.example.com/plivo',
    'https://hooks.example.com/other?lang=de&a=1&a=0',
  ])('is forged at %s', (other) => {
    expect(source.verify({ ...delivery, url: other }, at)).toMatchObject({ reason: 'signature_mismatch' })
  })

  test('is recognised behind a proxy by the public address', () => {
    const behind = { ...delivery, url: 'http://10.0.0.7:3000/plivo?lang=de&a=1&a=0' }

    expect(source.verify(behind, at)).toMatchObject({ kind: 'forged' })
    expect(plivo({ secret, publicUrl: 'https://hooks.example.com' }).verify(behind, at).kind).toBe('authentic')
  })

  test('may be signed by the main account in place of the subaccount', () => {
    const made = inHeader('x-plivo-signature-v3').read(delivery)
    const other = inHeader('x-plivo-signature-v3').read(plivo({ secret: otherSecret }).sign({ url, body }, at))

    const ofBoth = withHeaders(delivery, { 'x-plivo-signature-v3': other, 'x-plivo-signature-ma-v3': made })

    expect(source.verify(ofBoth, at).kind).toBe('authentic')
  })

  test('is not believed for its second version, unless that was chosen', () => {
    const signed = older.sign({ url, body }, at)

    expect(source.verify(signed, at)).toMatchObject({ reason: 'signature_missing' })
    expect(older.verify({ ...signed, body: 'CallUUID=c2' }, at).kind).toBe('authentic')
    expect(older.facts.isBodySigned).toBe(false)
    expect(() => plivo({ secret, signatureVersion: 'v1' as 'v2' })).toThrow(/"signatureVersion" must be/)
  })
})

describe('a batch of Segment', () => {
  const source = segment({ secret })
  const events = ['m1', 'm2'].map((messageId) => ({ type: 'track', event: 'Größe', messageId, '2': 1, '1': 2 }))
  const delivery = source.sign({ body: JSON.stringify(events) }, at)

  test('is signed by its first event alone, and the facts say so', () => {
    const [first] = events
    const withOther = JSON.stringify([first, { type: 'track', event: 'Forged', messageId: 'm3' }])

    expect(source.verify(delivery, at).kind).toBe('authentic')
    expect(source.verify({ ...delivery, body: withOther }, at).kind).toBe('authentic')
    expect(source.verify({ ...delivery, body: JSON.stringify(events.toReversed()) }, at).kind).toBe('forged')
    expect(source.facts).toMatchObject({ isBodySigned: false, isIdSigned: false })
  })

  test('has the signature of its first event as a single one', () => {
    const single = source.sign({ body: JSON.stringify(events[0]) }, at)

    expect(source.verify({ ...delivery, headers: single.headers }, at).kind).toBe('authentic')
  })

  test.each(['[]', '[', '[null]', '[[]]'])('is forged if it is %s', (body) => {
    expect(source.verify({ ...delivery, body }, at)).toMatchObject({ reason: 'signature_mismatch' })
  })

  test('can be refused, so that nothing unsigned is believed', () => {
    const strict = segment({ secret, batches: 'refuse' })

    expect(strict.verify(delivery, at)).toMatchObject({ reason: 'signature_mismatch' })
    expect(strict.facts).toMatchObject({ isBodySigned: true, isIdSigned: true, isBatch: false })
    expect(() => segment({ secret, batches: 'no' as 'refuse' })).toThrow(/"batches" must be/)
  })
})
