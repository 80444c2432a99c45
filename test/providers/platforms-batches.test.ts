import { describe, expect, test } from 'vitest'
import { auth0EventStreams } from '../../src/providers/auth0-event-streams.ts'
import { auth0LogStreams } from '../../src/providers/auth0-log-streams.ts'
import { azureEventGrid } from '../../src/providers/azure-event-grid.ts'
import { oktaEventHooks } from '../../src/providers/okta-event-hooks.ts'
import { salesforceOutbound } from '../../src/providers/salesforce-outbound.ts'
import { idsOf, statusOfRefusal } from './reading.ts'

const secret = 'a-secret-that-is-long-enough'
const forged = { kind: 'forged', reason: 'token_mismatch' } as const

describe('an event of an Auth0 event stream', () => {
  test('is known by its id, and about a user', () => {
    const event = {
      id: 'evt_1',
      type: 'user.created',
      time: '2026-11-15T12:00:00.000Z',
      data: { object: { user_id: 'auth0|1' } },
    }

    expect(auth0EventStreams({ secret }).identify({ body: JSON.stringify(event) })).toEqual([
      { id: 'evt_1', type: 'user.created', objectId: 'auth0|1', occurredAt: new Date('2026-11-15T12:00:00.000Z') },
    ])
  })

  test('is never refused with a 4xx because of the token, and is kept here when its handler fails', () => {
    expect(statusOfRefusal(auth0EventStreams({ secret }), forged)).toBe(503)
    expect(auth0EventStreams({ secret }).facts.isFailureRetried).toBe(false)
  })
})

describe('a log event of Auth0', () => {
  const log = (id: string) => ({
    log_id: id,
    data: { type: 's', user_id: 'auth0|1', date: '2026-11-15T12:00:00.000Z' },
  })
  const source = auth0LogStreams({ secret })
  const many = [
    { id: '90020', type: 's', objectId: 'auth0|1', part: '/0' },
    { id: '90021', type: 's', objectId: 'auth0|1', part: '/1' },
  ]

  test.each([
    ['a line', `${JSON.stringify(log('90020'))}\n${JSON.stringify(log('90021'))}\n`],
    ['an element of a list', JSON.stringify([log('90020'), log('90021')])],
  ])('can be %s', (_what, body) => {
    expect(source.identify({ body })).toMatchObject(many)
    expect(source.readDocument?.({ body })).toEqual({ kind: 'parsed', document: [log('90020'), log('90021')] })
  })

  test('can be all there is', () => {
    const [event] = source.identify({ body: JSON.stringify(log('90020')) }) as readonly unknown[]

    expect(event).toMatchObject({ id: '90020' })
    expect(event).not.toHaveProperty('part')
  })

  test('is malformed, with all others, when one of them has no id', () => {
    expect(source.identify({ body: `${JSON.stringify(log('90020'))}\n{"data":{"type":"s"}}` })).toMatchObject({
      kind: 'malformed',
      detail: expect.stringContaining('/1'),
    })
  })
})

describe('an event of Okta', () => {
  const source = oktaEventHooks({ secret })
  const events = [
    { uuid: 'u1', eventType: 'user.session.start', published: '2026-11-15T12:00:00.000Z', target: [] },
    { uuid: 'u2', eventType: 'user.authentication.sso', target: [{ id: '0oa1' }] },
  ]
  const identify = (eventId: string) => source.identify({ body: JSON.stringify({ eventId, data: { events } }) })

  test('is one of those that come together, and keeps its id when they come again', () => {
    expect(identify('d1')).toEqual([
      {
        id: 'u1',
        type: 'user.session.start',
        deliveryId: 'd1',
        occurredAt: new Date('2026-11-15T12:00:00.000Z'),
        part: '/data/events/0',
      },
      { id: 'u2', type: 'user.authentication.sso', deliveryId: 'd1', objectId: '0oa1', part: '/data/events/1' },
    ])
    expect(idsOf(identify('d2'))).toEqual(['u1', 'u2'])
  })

  test('is answered with nothing, and never refused with a 4xx because of the secret', () => {
    expect(source.answer({}, 'accepted')).toEqual({ status: 200 })
    expect(statusOfRefusal(source, forged)).toBe(503)
  })
})

describe('an event of Azure Event Grid', () => {
  const source = azureEventGrid({ secret })
  const identify = (document: unknown) => source.identify({ body: JSON.stringify(document) })
  const event = {
    topic: '/t',
    id: '1',
    eventType: 'Contoso.Paid',
    subject: 'orders/1',
    eventTime: '2026-11-15T12:00:00Z',
  }

  test('is one of a list, and unique within its topic', () => {
    const events = identify([event, { ...event, topic: '/other' }])

    expect(events).toMatchObject([
      {
        id: '/t:1',
        type: 'Contoso.Paid',
        objectId: 'orders/1',
        occurredAt: new Date('2026-11-15T12:00:00Z'),
        part: '/0',
      },
      { id: '/other:1', part: '/1' },
    ])
  })

  test('may be a CloudEvent, alone or in a list', () => {
    const cloudEvent = { specversion: '1.0', source: '/s', id: '1', type: 'a.b', subject: 'x' }

    expect(identify(cloudEvent)).toEqual([{ id: '/s:1', type: 'a.b', objectId: 'x' }])
    expect(identify([cloudEvent])).toEqual([{ id: '/s:1', type: 'a.b', objectId: 'x', part: '/0' }])
  })

  test('keeps an id that is given to it', () => {
    expect(idsOf(source.identify(source.sign({ id: '/t:1' }, new Date())))).toEqual(['/t:1'])
  })

  test('is never refused with a status that makes Event Grid give it up', () => {
    expect(statusOfRefusal(source, forged)).toBe(503)
    expect(statusOfRefusal(source, { kind: 'malformed', detail: '' })).toBe(503)
  })
})

describe('a notification of Salesforce', () => {
  const notification = (id: string, record: string) =>
    `<Notification><Id>${id}</Id><sObject xsi:type="sf:Opportunity" xmlns:sf="urn:sobject.enterprise.soap.sforce.com">${record}</sObject></Notification>`
  const message = (...notifications: readonly string[]) =>
    '<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" ' +
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><soapenv:Body>' +
    '<notifications xmlns="http://soap.sforce.com/2005/09/outbound"><OrganizationId>00D5g000000AbCdEAK</OrganizationId>' +
    `<ActionId>04k5g000000XyZaAAK</ActionId><SessionId xsi:nil="true"/>${notifications.join('')}` +
    '</notifications></soapenv:Body></soapenv:Envelope>'
  const two = message(
    notification('04l1', '<sf:Id>0061</sf:Id><sf:Name>Größe &amp; Søn</sf:Name><sf:Amount xsi:nil="true"/>'),
    notification('04l2', '<sf:Id>0062</sf:Id>'),
  )
  const source = salesforceOutbound({ secret })

  test('is one of those in a message, by the action and the kind of record', () => {
    expect(source.identify({ body: two })).toEqual([
      { id: '04l1', type: 'Opportunity.04k5g000000XyZaAAK', objectId: '0061', part: '/Notification/0' },
      { id: '04l2', type: 'Opportunity.04k5g000000XyZaAAK', objectId: '0062', part: '/Notification/1' },
    ])
  })

  test('is plain data for handlers', () => {
    expect(source.readDocument?.({ body: two })).toMatchObject({
      document: {
        OrganizationId: '00D5g000000AbCdEAK',
        SessionId: null,
        Notification: [
          { Id: '04l1', sObject: { type: 'Opportunity', Id: '0061', Name: 'Größe & Søn', Amount: null } },
          { Id: '04l2' },
        ],
      },
    })
  })

  test.each(['', '{}', '<a/>', '<!DOCTYPE a [<!ENTITY b "c">]><a/>', two.replace('<Id>04l2</Id>', '')])(
    'is malformed in %.40s',
    (body) => {
      expect(source.identify({ body })).toMatchObject({ kind: 'malformed' })
    },
  )

  test.each(['00D5g000000AbCd', '00D5g000000AbCdEAK'])('is taken from the organization %s', (organizationId) => {
    const own = salesforceOutbound({ secret, organizationId })

    expect(own.handshake({ body: two }, 'after_verification')).toBeUndefined()
  })

  test('is refused from another organization, or from one that is named twice', () => {
    const other = salesforceOutbound({ secret, organizationId: '00D5g000000AbCe' })
    const own = salesforceOutbound({ secret, organizationId: '00D5g000000AbCd' })
    const twice = two.replace('<ActionId>', '<OrganizationId>00D5g000000AbCdEAK</OrganizationId><ActionId>')

    expect(other.handshake({ body: two }, 'after_verification')).toMatchObject({ kind: 'malformed' })
    expect(own.handshake({ body: twice }, 'after_verification')).toMatchObject({ kind: 'malformed' })
    expect(() => salesforceOutbound({ secret, organizationId: 'acme' })).toThrow(/"organizationId" must be/)
  })

  test('is acknowledged in the only words that end its retries', () => {
    expect(source.answer({}, 'duplicate')).toEqual({
      status: 200,
      headers: { 'content-type': 'text/xml; charset=utf-8' },
      body:
        '<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/">' +
        '<soapenv:Body><notificationsResponse xmlns="http://soap.sforce.com/2005/09/outbound"><Ack>true</Ack>' +
        '</notificationsResponse></soapenv:Body></soapenv:Envelope>',
    })
  })
})
