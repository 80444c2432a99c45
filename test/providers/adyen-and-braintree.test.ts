import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { adyen } from '../../src/providers/adyen.ts'
import { braintree } from '../../src/providers/braintree.ts'

const secret = 'a-secret-that-is-long-enough'
const hexKey = '44782def547aaa06c910c43932b1eb0c71fc68d9d0c057550c48ec2acf6ba056'
const at = new Date('2026-11-15T12:00:00Z')

describe('an event of Adyen', () => {
  const source = adyen({ secret: hexKey })
  const item = (changed: object = {}) => ({
    NotificationRequestItem: {
      eventCode: 'CAPTURE',
      eventDate: '2026-11-15T13:00:00+01:00',
      originalReference: '7914073381342284',
      pspReference: 'QFQTPCQ8HXSKGK82',
      success: 'true',
      ...changed,
    },
  })
  const identify = (...items: readonly object[]) =>
    source.identify({ body: JSON.stringify({ live: 'false', notificationItems: items }) })

  test('is one for each item, with the item as its payload', () => {
    expect(identify(item(), item({ eventCode: 'AUTHORISATION', originalReference: '' }))).toEqual([
      {
        id: 'CAPTURE:QFQTPCQ8HXSKGK82:true',
        type: 'CAPTURE',
        objectId: '7914073381342284',
        occurredAt: at,
        part: '/notificationItems/0/NotificationRequestItem',
      },
      {
        id: 'AUTHORISATION:QFQTPCQ8HXSKGK82:true',
        type: 'AUTHORISATION',
        objectId: 'QFQTPCQ8HXSKGK82',
        occurredAt: at,
        part: '/notificationItems/1/NotificationRequestItem',
      },
    ])
  })

  test('keeps its id when only its date differs, and gets another when its outcome does', () => {
    const ids = [item(), item({ eventDate: '2026-11-16T13:00:00+01:00' }), item({ success: 'false' })].map((entry) =>
      identify(entry),
    )

    expect(ids).toMatchObject([
      [{ id: 'CAPTURE:QFQTPCQ8HXSKGK82:true' }],
      [{ id: 'CAPTURE:QFQTPCQ8HXSKGK82:true' }],
      [{ id: 'CAPTURE:QFQTPCQ8HXSKGK82:false' }],
    ])
  })

  const platformEvent = { type: 'balancePlatform.transfer.updated', data: { id: 'tr1', eventId: 'ev1' } }
  const signedByHeader = (body: string, key: string = hexKey) => ({
    body,
    headers: { hmacsignature: createHmac('sha256', Buffer.from(key, 'hex')).update(body).digest('base64') },
  })

  test('of a platform is signed as a whole in a header', () => {
    const body = JSON.stringify(platformEvent)
    const signed = signedByHeader(body)

    expect(source.verify(signed, at)).toEqual({ kind: 'authentic', secretIndex: 0 })
    expect(source.verify({ ...signed, body: `${body} ` }, at)).toMatchObject({ reason: 'signature_mismatch' })
    expect(source.verify(signedByHeader(body, '00'.repeat(32)), at)).toMatchObject({ reason: 'signature_mismatch' })
    expect(source.verify({ body }, at)).toMatchObject({ reason: 'signature_missing' })
  })

  test('with a wrong signature in a header is not saved by right ones inside', () => {
    const { headers, ...delivery } = source.sign({}, at)

    expect(source.verify({ ...delivery, headers }, at).kind).toBe('authentic')
    expect(source.verify({ ...delivery, headers: { hmacsignature: `${'A'.repeat(43)}=` } }, at).kind).toBe('forged')
  })

  test('of a platform is known by its event id, or else by its time and content', () => {
    const identifyAll = (payload: unknown) => source.identify({ body: JSON.stringify(payload) })
    const updated = (timestamp: string) => ({
      type: 'balancePlatform.accountHolder.updated',
      timestamp,
      data: { id: 'AH1' },
    })

    expect(identifyAll(platformEvent)).toMatchObject([{ id: 'balancePlatform.transfer.updated:ev1', objectId: 'tr1' }])
    expect(identifyAll(updated('2026-11-15T12:00:00Z'))).toEqual(identifyAll(updated('2026-11-15T12:00:00Z')))
    expect(identifyAll(updated('2026-11-15T12:00:00Z'))).not.toMatchObject([
      { id: (identifyAll(updated('2026-11-15T12:00:01Z')) as readonly { id: string }[])[0]?.id },
    ])
  })

  test('is accepted with the text that older set-ups wait for', () => {
    expect(source.answer({}, 'accepted')).toMatchObject({ status: 200, body: '[accepted]' })
  })
})

describe('a notification of Braintree', () => {
  const source = braintree({ secret: 'integration_private_key', publicKey: 'integration_public_key' })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const deliver = (xml: string) => ({
    headers: form,
    body: new URLSearchParams({ bt_payload: Buffer.from(xml).toString('base64') }).toString(),
  })
  const xml = (subject: string, timestamp = '2026-11-15T12:00:00Z') =>
    `<notification><timestamp type="datetime">${timestamp}</timestamp><kind>dispute_opened</kind><subject>${subject}</subject></notification>`

  test('is known by its kind, its time and what it is about', () => {
    expect(source.identify(deliver(xml('<dispute><id>d1</id></dispute>')))).toEqual([
      { id: 'dispute_opened:2026-11-15T12%3A00%3A00Z:d1', type: 'dispute_opened', objectId: 'd1', occurredAt: at },
    ])
  })

  test('without an id of its subject is told apart by its content', () => {
    const [one, other] = ['<report><date>1</date></report>', '<report><date>2</date></report>'].map((subject) =>
      source.identify(deliver(xml(subject))),
    )

    expect(one).toMatchObject([{ id: expect.stringMatching(/^dispute_opened:[^:]+:[0-9a-f]{64}$/) }])
    expect(other).not.toEqual(one)
  })

  test('comes to handlers as an object', () => {
    const read = source.readDocument?.(deliver(xml('<dispute><id>d1</id><amount-won>1.00</amount-won></dispute>')))

    expect(read).toEqual({
      kind: 'parsed',
      document: {
        timestamp: '2026-11-15T12:00:00Z',
        kind: 'dispute_opened',
        subject: { dispute: { id: 'd1', amountWon: '1.00' } },
      },
    })
  })

  test.each([
    ['no XML', 'hello'],
    ['another document', '<other/>'],
    ['a document type', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><notification>&b;</notification>'],
  ])('is malformed when it is %s', (_, text) => {
    expect(source.identify(deliver(text))).toMatchObject({ kind: 'malformed' })
  })

  test('may carry signatures for other keys too, and has to carry one for ours', () => {
    const { body, ...delivery } = source.sign({}, at)
    const fields = new URLSearchParams(Buffer.from(body).toString())
    const signedWith = (list: string) => {
      fields.set('bt_signature', list)
      return source.verify({ ...delivery, body: fields.toString() }, at)
    }
    const own = fields.get('bt_signature') ?? ''
    const other = `other_key|${'0'.repeat(40)}`

    expect(signedWith(`${other}&${own}`)).toMatchObject({ kind: 'authentic' })
    expect(signedWith(other)).toMatchObject({ reason: 'secret_unknown', hint: expect.stringContaining('"publicKey"') })
    expect(signedWith(own.replace('|', '||'))).toMatchObject({ reason: 'signature_malformed' })
    expect(signedWith(own.replace('integration_public_key', 'other_key'))).toMatchObject({ reason: 'secret_unknown' })
  })

  test('cannot be received without the name of the key', () => {
    expect(() => braintree({ secret })).toThrow(/"publicKey" is missing/)
    expect(() => braintree({ publicKey: 'integration_public_key' })).toThrow(/"secret" is missing/)
    expect(() => braintree({ secret, publicKey: '-----BEGIN PUBLIC KEY-----' })).toThrow(/"publicKey" is missing/)
  })
})
