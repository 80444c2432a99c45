import { describe, expect, test } from 'vitest'
import { gocardless } from '../../src/providers/gocardless.ts'
import { intuitQuickbooks } from '../../src/providers/intuit-quickbooks.ts'
import { xero } from '../../src/providers/xero.ts'
import { identifyDocument as identify, idOfDocument as idOf } from './reading.ts'

const secret = 'a-secret-that-is-long-enough'
const noon = new Date('2026-11-15T12:00:00.000Z')

describe('a request of GoCardless', () => {
  const events = [
    { id: 'EV1', resource_type: 'billing_requests', action: 'fulfilled', links: { billing_request: 'BRQ1' } },
    { id: 'EV2', resource_type: 'payments', action: 'failed', links: { payment: 'PM1' } },
  ]

  test('is one event for each of its parts', () => {
    expect(identify(gocardless({ secret }), { events, meta: { webhook_id: 'WB1' } })).toEqual([
      { id: 'EV1', type: 'billing_requests.fulfilled', deliveryId: 'WB1', objectId: 'BRQ1', part: '/events/0' },
      { id: 'EV2', type: 'payments.failed', deliveryId: 'WB1', objectId: 'PM1', part: '/events/1' },
    ])
  })

  test('keeps the ids of its events when they come in another request', () => {
    const again = identify(gocardless({ secret }), { events: events.toReversed(), meta: { webhook_id: 'WB2' } })

    expect(again).toMatchObject([{ id: 'EV2' }, { id: 'EV1' }])
  })

  test('is malformed as a whole when one of its events has no id', () => {
    expect(identify(gocardless({ secret }), { events: [events[0], { resource_type: 'payments' }] })).toMatchObject({
      kind: 'malformed',
      detail: expect.stringContaining('/events/1'),
    })
  })
})

describe('a request of Xero', () => {
  const event = {
    resourceId: 'r1',
    eventDateUtc: '2026-11-15T12:00:00.000',
    eventType: 'UPDATE',
    eventCategory: 'INVOICE',
    tenantId: 't1',
  }

  test('is one event for each of its parts, in UTC', () => {
    const document = { events: [event, { ...event, tenantId: 't2' }], firstEventSequence: 11, lastEventSequence: 12 }

    expect(identify(xero({ secret }), document)).toEqual([
      {
        id: 't1:INVOICE:r1:UPDATE:2026-11-15T12%3A00%3A00.000',
        type: 'INVOICE.UPDATE',
        deliveryId: '11:12',
        objectId: 'r1',
        occurredAt: noon,
        part: '/events/0',
      },
      expect.objectContaining({ id: expect.stringMatching(/^t2:/), part: '/events/1' }),
    ])
  })

  test('can be made again from the id of its event', () => {
    const source = xero({ secret })
    const id = idOf(source, { events: [event] })

    expect(source.identify(source.sign({ id }, noon))).toMatchObject([{ id }])
  })
})

describe('a request of QuickBooks', () => {
  const source = intuitQuickbooks({ secret })

  test('is one event for each CloudEvent, also where two changes of one entity share the id', () => {
    const event = { id: 'u-Customer-1', time: '2026-11-15T12:00:00.000000000Z', intuitentityid: '1' }
    const document = ['created', 'updated'].map((what) => ({ ...event, type: `qbo.customer.${what}.v1` }))

    expect(identify(source, document)).toEqual([
      {
        id: 'u-Customer-1:qbo.customer.created.v1',
        type: 'qbo.customer.created.v1',
        objectId: '1',
        occurredAt: noon,
        part: '/0',
      },
      {
        id: 'u-Customer-1:qbo.customer.updated.v1',
        type: 'qbo.customer.updated.v1',
        objectId: '1',
        occurredAt: noon,
        part: '/1',
      },
    ])
  })

  test('is one event for each entity of each company in the format before', () => {
    const entity = { name: 'Customer', id: '1', operation: 'Create', lastUpdated: '2026-11-15T12:00:00.000Z' }
    const company = (realmId: string, entities: unknown[]) => ({ realmId, dataChangeEvent: { entities } })
    const invoice = { ...entity, name: 'Invoice' }

    expect(
      identify(source, { eventNotifications: [company('11', [entity, invoice]), company('22', [entity])] }),
    ).toMatchObject([
      { id: '11:Customer:1:Create:2026-11-15T12%3A00%3A00.000Z', type: 'Customer.Create', objectId: '1' },
      { type: 'Invoice.Create', part: '/eventNotifications/0/dataChangeEvent/entities/1' },
      { id: expect.stringMatching(/^22:/), part: '/eventNotifications/1/dataChangeEvent/entities/0' },
    ])
  })
})
