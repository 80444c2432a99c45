import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { cloudeventsHttp } from '../../src/providers/cloudevents-http.ts'
import { idsOf, statusOfRefusal } from './reading.ts'

const secret = 'a-secret-that-is-long-enough'
const source = cloudeventsHttp({ secret })
const binary = {
  'ce-specversion': '1.0',
  'ce-id': 'A234',
  'ce-source': '/mycontext/4798',
  'ce-type': 'com.example.order.paid',
  'ce-time': '2026-11-15T12:00:00Z',
  'ce-subject': 'orders/1',
}
const event = {
  specversion: '1.0',
  id: 'A234',
  source: '/mycontext/4798',
  type: 'com.example.order.paid',
  time: '2026-11-15T12:00:00Z',
  subject: 'orders/1',
  data: { order: 'A-4711' },
}
const identified = {
  id: '/mycontext/4798:A234',
  type: 'com.example.order.paid',
  objectId: 'orders/1',
  occurredAt: new Date('2026-11-15T12:00:00Z'),
}

describe('a CloudEvent', () => {
  test('is the same one in whichever mode it comes', () => {
    const headers = { ...binary, 'content-type': 'application/json' }
    const structured = { 'content-type': 'application/cloudevents+json; charset=utf-8' }
    const batch = { 'content-type': 'application/cloudevents-batch+json' }

    expect(source.identify({ headers, body: '{"order":"A-4711"}' })).toEqual([identified])
    expect(source.identify({ headers: structured, body: JSON.stringify(event) })).toEqual([identified])
    expect(source.identify({ headers: batch, body: JSON.stringify([event]) })).toEqual([{ ...identified, part: '/0' }])
  })

  test('is another one from another source', () => {
    const headers = { 'content-type': 'application/cloudevents-batch+json' }
    const body = JSON.stringify([event, { ...event, source: '/other' }, { ...event, id: 'B' }])

    expect(new Set(idsOf(source.identify({ headers, body }))).size).toBe(3)
  })

  test('has the JSON form for handlers, with its content inside', () => {
    const headers = { ...binary, 'content-type': 'application/json', 'ce-traceparent': '00-4bf9' }

    expect(source.readDocument?.({ headers, body: '{"order":"A-4711"}' })).toEqual({
      kind: 'parsed',
      document: { ...event, traceparent: '00-4bf9', datacontenttype: 'application/json' },
    })
  })

  test.each([
    ['text/plain', 'hello', { data: 'hello' }],
    ['application/octet-stream', Buffer.of(0xff, 0x00), { data_base64: '/wA=' }],
    ['application/vnd.acme+json', '{"a":1}', { data: { a: 1 } }],
    ['application/json', '', {}],
  ])('may have content of the type %s', (contentType, body, content) => {
    const read = source.readDocument?.({ headers: { ...binary, 'content-type': contentType }, body })

    expect(read).toMatchObject({ kind: 'parsed', document: content })
    expect(source.identify({ headers: { ...binary, 'content-type': contentType }, body })).toEqual([identified])
  })

  test.each([
    ['Euro%20%E2%82%AC%20%F0%9F%98%80', 'Euro € 😀'],
    ['100%25', '100%'],
    ['%2525', '%25'],
    ['100%', '100%'],
    ['"with \\"quotes\\" and %25"', 'with "quotes" and %'],
  ])('has the subject %s decoded once, to %s', (sent, subject) => {
    expect(source.identify({ headers: { ...binary, 'ce-subject': sent } })).toMatchObject([{ objectId: subject }])
  })

  test('is malformed with a header that is sent twice or is no UTF-8', () => {
    expect(source.identify({ headers: { ...binary, 'ce-id': ['a', 'b'] } })).toMatchObject({ kind: 'malformed' })
    expect(source.identify({ headers: { ...binary, 'ce-id': '%ff' } })).toMatchObject({ kind: 'malformed' })
  })

  test('is malformed in any format but JSON', () => {
    const headers = { 'content-type': 'application/cloudevents+avro' }

    expect(source.identify({ headers, body: JSON.stringify(event) })).toMatchObject({
      kind: 'malformed',
      detail: expect.stringContaining('JSON'),
    })
    expect(statusOfRefusal(source, { kind: 'malformed', detail: '' })).toBe(415)
  })

  test('keeps an id that is given to it', () => {
    expect(idsOf(source.identify(source.sign({ id: '/mycontext:A' }, new Date())))).toEqual(['/mycontext:A'])
    expect(idsOf(source.identify(source.sign({ id: 'A' }, new Date())))).toEqual(['/example/orders:A'])
  })

  test('may be none at all, in a batch that is empty', () => {
    const delivery = { headers: { 'content-type': 'application/cloudevents-batch+json' }, body: '[]' }

    expect(source.handshake(delivery, 'after_verification')).toEqual({ status: 200 })
  })
})

describe('the token of a CloudEvent', () => {
  const at = new Date()
  const verify = (query: string, authorization?: string) =>
    source.verify({ url: `https://a.example/in${query}`, headers: { authorization } }, at)

  test('may be in the header or in the query', () => {
    expect(verify('', `Bearer ${secret}`).kind).toBe('authentic')
    expect(verify(`?access_token=${secret}`).kind).toBe('authentic')
  })

  test('is read in the header where both are given, and never given twice', () => {
    expect(verify(`?access_token=${secret}`, 'Bearer wrong')).toMatchObject({ reason: 'token_mismatch' })
    expect(verify(`?access_token=${secret}&access_token=${secret}`)).toMatchObject({ reason: 'signature_repeated' })
    expect(verify('')).toMatchObject({ reason: 'token_missing' })
    expect(verify('?access_token=')).toMatchObject({ reason: 'token_missing' })
  })
})

type Example = {
  readonly why: string
  readonly expect: 'valid' | 'invalid'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

describe('the examples for CloudEvents', () => {
  const file = new URL('cloudevents-examples.json', import.meta.url)
  const examples = JSON.parse(readFileSync(file, 'utf8')) as readonly Example[]

  test.each(examples)('are understood as its own library does: $expect, $why', ({ expect: verdict, headers, body }) => {
    const events = source.identify({ headers, body })

    expect('kind' in events ? 'invalid' : 'valid').toBe(verdict)
  })
})
