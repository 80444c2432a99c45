import { describe, expect, test } from 'vitest'
import { box } from '../../src/providers/box.ts'
import { calCom } from '../../src/providers/cal-com.ts'
import { calendly } from '../../src/providers/calendly.ts'
import { docusignConnect } from '../../src/providers/docusign-connect.ts'
import { hubspot } from '../../src/providers/hubspot.ts'
import { intercom } from '../../src/providers/intercom.ts'
import { notion } from '../../src/providers/notion.ts'
import { shippo } from '../../src/providers/shippo.ts'
import { webflow } from '../../src/providers/webflow.ts'
import { zendesk } from '../../src/providers/zendesk.ts'
import type { IdentifiedEvent, Provider } from '../../src/verify/provider.ts'

const secret = 'a-secret-that-is-long-enough'

type Json = Readonly<Record<string, unknown>>

function eventsOf(source: Provider, document: unknown, headers: Readonly<Record<string, string>> = {}) {
  const events = source.identify({ headers, body: JSON.stringify(document) })
  expect(events).toBeInstanceOf(Array)
  return events as readonly IdentifiedEvent[]
}

function idOf(source: Provider, document: unknown): string | undefined {
  return eventsOf(source, document)[0]?.id
}

describe('a batch of HubSpot', () => {
  const source = hubspot({ secret })
  const event: Json = {
    eventId: 1,
    subscriptionId: 25,
    portalId: 33,
    occurredAt: 1794744000000,
    subscriptionType: 'contact.creation',
    attemptNumber: 0,
    objectId: 123,
  }

  test('is one event for each of its elements', () => {
    expect(eventsOf(source, [event, { ...event, eventId: 2, objectId: 456 }])).toEqual([
      {
        id: '33:25:1:1794744000000:123',
        type: 'contact.creation',
        objectId: '123',
        occurredAt: new Date('2026-11-15T12:00:00.000Z'),
        part: '/0',
      },
      expect.objectContaining({ id: '33:25:2:1794744000000:456', part: '/1' }),
    ])
  })

  test('keeps its ids when it is tried again, alone or among others', () => {
    const again = { ...event, attemptNumber: 3 }

    expect(idOf(source, [again])).toBe(idOf(source, [event]))
    expect(eventsOf(source, [{ ...event, eventId: 2 }, again])[1]?.id).toBe(idOf(source, [event]))
  })

  test.each([{ portalId: 34 }, { subscriptionId: 26 }, { occurredAt: 1794744000001 }, { objectId: 124 }])(
    'holds another event with %j, even under the same eventId',
    (difference) => {
      expect(idOf(source, [{ ...event, ...difference }])).not.toBe(idOf(source, [event]))
    },
  )

  test('tells links between objects apart by both ends', () => {
    const link = { ...event, objectId: undefined, fromObjectId: 1, toObjectId: 2 }

    expect(idOf(source, [{ ...link, toObjectId: 3 }])).not.toBe(idOf(source, [link]))
  })

  test('is malformed as a whole if one element has no id, or if it is no list', () => {
    expect(source.identify({ body: JSON.stringify([event, { ...event, eventId: undefined }]) })).toMatchObject({
      kind: 'malformed',
      detail: expect.stringContaining('/1'),
    })
    expect(source.identify({ body: JSON.stringify(event) })).toMatchObject({ kind: 'malformed' })
  })
})

describe('an event that is tried again keeps its id', () => {
  test('at Intercom and Notion, although the attempt is counted in the body', () => {
    const notification = { id: 'notif_1', topic: 'contact.user.created' }
    const change = { id: '367cba44', type: 'page.created' }

    expect(idOf(intercom({ secret }), { ...notification, delivery_attempts: 2 })).toBe('notif_1')
    expect(idOf(notion({ secret }), { ...change, attempt_number: 2 })).toBe('367cba44')
  })

  test('at DocuSign, although the attempt is counted in the body', () => {
    const source = docusignConnect({ secret })
    const event = { event: 'envelope-sent', generatedDateTime: '2026-11-15T12:00:00Z', data: { envelopeId: 'e1' } }

    expect(idOf(source, { ...event, retryCount: 2 })).toBe(idOf(source, { ...event, retryCount: 0 }))
  })

  test('at Box, where the header is new each time', () => {
    const event = { id: 'eb0c4e06', trigger: 'FILE.UPLOADED' }

    expect(eventsOf(box({ secret }), event, { 'box-delivery-id': 'd2' })).toEqual([
      { id: 'eb0c4e06', type: 'FILE.UPLOADED', deliveryId: 'd2' },
    ])
  })
})

describe('an event of Zendesk', () => {
  const source = zendesk({ secret })
  const headers = { 'x-zendesk-webhook-invocation-id': '01GH3J9X5R' }

  test('is known by its own id if it was subscribed to', () => {
    const event = { id: 'cbe4028c', type: 'zen:event-type:ticket.created', detail: { id: '7' } }

    expect(eventsOf(source, event, headers)).toEqual([
      { id: 'cbe4028c', type: 'zen:event-type:ticket.created', deliveryId: '01GH3J9X5R', objectId: '7' },
    ])
  })

  test.each([
    ['PUT', '{"id":"7","type":"incident"}'],
    ['POST', '{"subject":"An unescaped "quote" of a placeholder"}'],
    ['POST', '<ticket><id>7</id></ticket>'],
    ['POST', 'ticket=7'],
    ['GET', ''],
  ])('is known by its invocation if a trigger made it: %s %s', (method, body) => {
    expect(source.methods).toContain(method)
    expect(source.identify({ method, headers, body })).toEqual([{ id: '01GH3J9X5R', type: 'trigger' }])
  })
})

describe('an event without an id of its own', () => {
  test('is told apart by type, object and time at Calendly', () => {
    const source = calendly({ secret })
    const event = { event: 'invitee.created', created_at: '2026-11-15T12:00:00.000000Z', payload: { uri: 'u1' } }

    expect(idOf(source, event)).toBe('invitee.created:u1:2026-11-15T12%3A00%3A00.000000Z')
    expect(idOf(source, { ...event, event: 'invitee.canceled' })).not.toBe(idOf(source, event))
    expect(idOf(source, { ...event, created_at: '2026-11-15T12:00:01.000000Z' })).not.toBe(idOf(source, event))
    expect(source.identify({ body: JSON.stringify({ ...event, payload: {} }) })).toMatchObject({ kind: 'malformed' })
  })

  test('is told apart by its recipient at DocuSign, where it has one', () => {
    const source = docusignConnect({ secret })
    const event = (data: Json) => ({ event: 'recipient-completed', generatedDateTime: '2026-11-15T12:00:00Z', data })
    const ids = [{}, { recipientId: '1' }, { recipientId: '2' }].map((recipient) =>
      idOf(source, event({ envelopeId: 'e1', ...recipient })),
    )

    expect(new Set(ids).size).toBe(3)
  })

  test.each([
    ['in its envelope', { createdAt: 't', payload: { uid: 'b1' } }],
    ['without an envelope, as for meetings that start', { createdAt: 't', uid: 'b1' }],
    ['of a no-show', { createdAt: 't', payload: { bookingUid: 'b1' } }],
  ])('is told apart by its booking at Cal.com, %s', (_where, event) => {
    expect(eventsOf(calCom({ secret }), { triggerEvent: 'BOOKING', ...event })).toEqual([
      { id: 'BOOKING:b1:t', type: 'BOOKING', objectId: 'b1' },
    ])
  })

  test('is told apart by its content at Cal.com, where there is no booking', () => {
    const source = calCom({ secret })
    const form = (city: string) => ({ triggerEvent: 'FORM_SUBMITTED', createdAt: 't', payload: { city } })

    expect(idOf(source, form('Köln'))).toBe(idOf(source, form('Köln')))
    expect(idOf(source, form('Köln'))).not.toBe(idOf(source, form('Bonn')))
  })
})

describe('an event of Shippo', () => {
  const source = shippo({ secret })
  const update = (data: Json) => ({
    event: 'track_updated',
    data: { carrier: 'usps', tracking_number: '92', tracking_status: { object_id: 's1' }, ...data },
  })

  test.each([{ carrier: 'ups' }, { tracking_number: '93' }, { tracking_status: { object_id: 's2' } }, { eta: 'soon' }])(
    'is another one with %j',
    (difference) => {
      expect(idOf(source, update(difference))).not.toBe(idOf(source, update({})))
    },
  )

  test('is the same one whatever else of the parcel is told', () => {
    expect(idOf(source, update({ tracking_history: [1] }))).toBe(idOf(source, update({})))
  })

  test('is told apart by its content before the first scan', () => {
    const unscanned = update({ tracking_status: null })

    expect(idOf(source, unscanned)).toBe(idOf(source, unscanned))
    expect(idOf(source, unscanned)).not.toBe(idOf(source, update({ tracking_status: null, metadata: 'order 7' })))
  })

  test('is told apart by the time of its change if it is about a label', () => {
    const label = (time: string) => ({ event: 'transaction_updated', data: { object_id: 'l1', object_updated: time } })

    expect(idOf(source, label('t1'))).toBe(idOf(source, label('t1')))
    expect(idOf(source, label('t1'))).not.toBe(idOf(source, label('t2')))
  })
})

describe('an event of Webflow', () => {
  const source = webflow({ secret })
  const event = (triggerType: string, payload: Json) => ({ triggerType, payload })

  test('is told apart by its object where it can happen to that only once', () => {
    const submission = event('form_submission', { id: 's1', submittedAt: '2026-11-15T12:00:00.000Z' })

    expect(eventsOf(source, submission)).toEqual([
      {
        id: 'form_submission:s1:-',
        type: 'form_submission',
        objectId: 's1',
        occurredAt: new Date('2026-11-15T12:00:00.000Z'),
      },
    ])
  })

  test.each([{ id: 'i2' }, { cmsLocaleId: 'de' }, { lastUpdated: 't2' }, { lastPublished: 't2' }])(
    'is another change with %j',
    (difference) => {
      const item = { id: 'i1', cmsLocaleId: 'en', lastUpdated: 't1' }

      expect(idOf(source, event('collection_item_changed', { ...item, ...difference }))).not.toBe(
        idOf(source, event('collection_item_changed', item)),
      )
    },
  )

  test.each([
    event('ecomm_inventory_changed', { id: 'i1', quantity: 4 }),
    event('ecomm_order_changed', { orderId: 'o1', acceptedOn: '2026-11-15T12:00:00.000Z', status: 'fulfilled' }),
  ])('is new with every delivery where it tells no time: %j', (change) => {
    expect(idOf(source, change)).toMatch(/^arrival:/)
    expect(idOf(source, change)).not.toBe(idOf(source, change))
  })

  test('is malformed without a payload', () => {
    expect(source.identify({ body: '{"triggerType":"form_submission"}' })).toMatchObject({ kind: 'malformed' })
  })
})
