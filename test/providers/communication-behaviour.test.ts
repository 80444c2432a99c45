import { describe, expect, test } from 'vitest'
import { customerIo } from '../../src/providers/customer-io.ts'
import { line } from '../../src/providers/line.ts'
import { mailchimp } from '../../src/providers/mailchimp.ts'
import { mailgun } from '../../src/providers/mailgun.ts'
import { postmark } from '../../src/providers/postmark.ts'
import { segment } from '../../src/providers/segment.ts'
import { sendgrid } from '../../src/providers/sendgrid.ts'
import { svix } from '../../src/providers/svix.ts'
import type { Provider } from '../../src/verify/provider.ts'

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const open = { unverified: true } as const
const identifyJson = (source: Provider, document: unknown) => source.identify({ body: JSON.stringify(document) })
const identifyForm = (source: Provider, fields: Record<string, string>) =>
  source.identify({ headers: form, body: new URLSearchParams(fields).toString() })

describe('a message of Svix', () => {
  test('needs no type, as its body is the sender’s own', () => {
    expect(svix(open).identify({ headers: { 'webhook-id': 'msg_1' }, body: '{"hello":1}' })).toEqual([
      { id: 'msg_1', type: 'message' },
    ])
  })
})

describe('an event of Mailgun', () => {
  const event = (id: string, timestamp: number, token = 't1') => ({
    signature: { token },
    'event-data': { id, timestamp, event: 'failed', message: { headers: { 'message-id': 'a@b' } } },
  })

  test('is known by its id and its day, as the id is unique within a day only', () => {
    expect(identifyJson(mailgun(open), event('ase7', 1794767980.25))).toEqual([
      {
        id: '2026-11-15:ase7',
        type: 'failed',
        deliveryId: 't1',
        objectId: 'a@b',
        occurredAt: new Date('2026-11-15T18:39:40.250Z'),
      },
    ])
    expect(identifyJson(mailgun(open), event('ase7', 1794767980.25 + 86_400))).toMatchObject([
      { id: '2026-11-16:ase7' },
    ])
  })

  test('keeps its id under the token of a retry', () => {
    expect(identifyJson(mailgun(open), event('ase7', 1794767980, 't2'))).toMatchObject([
      { id: '2026-11-15:ase7', deliveryId: 't2' },
    ])
  })
})

describe('an event of Postmark', () => {
  const identify = (document: unknown) => identifyJson(postmark(open), document)
  const opened = { RecordType: 'Open', MessageID: 'm1', Recipient: 'a@example.com', ReceivedAt: '2026-11-15T12:00:00Z' }

  test('is known by its number if it is a bounce, with all digits', () => {
    expect(
      postmark(open).identify({ body: '{"RecordType":"Bounce","ID":4323372036854775807,"MessageID":"m1"}' }),
    ).toEqual([{ id: 'Bounce:4323372036854775807', type: 'Bounce', objectId: 'm1' }])
  })

  test('is known by the message, its recipient and the moment otherwise', () => {
    expect(identify(opened)).toEqual(identify(opened))
    expect(identify({ ...opened, ReceivedAt: '2026-11-15T12:00:01Z' })).not.toEqual(identify(opened))
    expect(identify({ ...opened, Recipient: 'b@example.com' })).not.toEqual(identify(opened))
    expect(identify({ ...opened, RecordType: 'Delivery' })).not.toEqual(identify(opened))
    expect(identify({ ...opened, Recipient: undefined })).toMatchObject({ kind: 'malformed' })
  })

  test('is another one for another link that was clicked at the same moment', () => {
    const click = (OriginalLink: string) => identify({ ...opened, RecordType: 'Click', OriginalLink })

    expect(click('https://a.example/1')).not.toEqual(click('https://a.example/2'))
  })

  test('is inbound mail if it says nothing', () => {
    expect(identify({ MessageID: 'm1', Subject: 'Hello' })).toEqual([
      { id: 'Inbound:m1', type: 'Inbound', objectId: 'm1' },
    ])
  })
})

describe('a batch', () => {
  test('of SendGrid, LINE and Segment has one event for each element', () => {
    const mail = [
      { sg_event_id: 'e1', event: 'delivered', sg_message_id: 'm1', timestamp: 1794744000 },
      { sg_event_id: 'e2', event: 'open', sg_message_id: 'm1', timestamp: 1794744001 },
    ]
    const chat = {
      events: [
        { webhookEventId: 'w1', type: 'message', message: { id: '7' }, timestamp: 1794744000000 },
        { webhookEventId: 'w2', type: 'follow', timestamp: 1794744000000 },
      ],
    }
    const calls = [
      { messageId: 'c1', type: 'track', event: 'Order Completed', userId: 'u1' },
      { messageId: 'c2', type: 'page', name: 'Pricing', anonymousId: 'a1' },
    ]
    const occurredAt = new Date('2026-11-15T12:00:00Z')

    expect(identifyJson(sendgrid(open), mail)).toMatchObject([
      { id: 'e1', type: 'delivered', objectId: 'm1', occurredAt, part: '/0' },
      { id: 'e2', type: 'open', objectId: 'm1', part: '/1' },
    ])
    expect(identifyJson(line(open), chat)).toMatchObject([
      { id: 'w1', type: 'message', objectId: '7', occurredAt, part: '/events/0' },
      { id: 'w2', type: 'follow', part: '/events/1' },
    ])
    expect(identifyJson(segment(open), calls)).toEqual([
      { id: 'c1', type: 'track.Order Completed', objectId: 'u1', part: '/0' },
      { id: 'c2', type: 'page', objectId: 'a1', part: '/1' },
    ])
  })

  test('is malformed if one of its elements has no id', () => {
    expect(identifyJson(sendgrid(open), [{ sg_event_id: 'e1', event: 'open' }, { event: 'open' }])).toMatchObject({
      kind: 'malformed',
      detail: expect.stringContaining('/1'),
    })
  })

  test('is none if Segment sends a single event', () => {
    expect(identifyJson(segment(open), { messageId: 'c1', type: 'identify' })).toEqual([{ id: 'c1', type: 'identify' }])
  })
})

describe('a change of Mailchimp', () => {
  test('is known by its kind, its second and its content', () => {
    const fields = { type: 'profile', fired_at: '2026-11-15 12:00:00', 'data[id]': '8a25ff1d98' }
    const identify = (more: Record<string, string>) => identifyForm(mailchimp(open), { ...fields, ...more })

    expect(identify({ 'data[merges][FNAME]': 'A' })).toMatchObject([{ type: 'profile', objectId: '8a25ff1d98' }])
    expect(identify({ 'data[merges][FNAME]': 'A' })).toEqual(identify({ 'data[merges][FNAME]': 'A' }))
    expect(identify({ 'data[merges][FNAME]': 'A' })).not.toEqual(identify({ 'data[merges][FNAME]': 'B' }))
  })
})

describe('an event of Customer.io', () => {
  test('has a type of two parts', () => {
    expect(identifyJson(customerIo(open), { event_id: 'e', object_type: 'email', metric: 'opened' })).toEqual([
      { id: 'e', type: 'email.opened' },
    ])
    expect(identifyJson(customerIo(open), { event_id: 'e', metric: 'opened' })).toMatchObject({ kind: 'malformed' })
  })
})
