import { type ComposedEvent, freshId } from '../verify/compose.ts'
import { defineProvider } from '../verify/define-provider.ts'
import type { ClaimedEvent } from '../verify/identity.ts'
import { decodeUtf8 } from '../verify/json.ts'
import { field, isObject, listAt } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { Handshake, ReadDocument } from '../verify/provider-declaration.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { token } from '../verify/schemes/token.ts'
import { childrenNamed, elementAt, escapeXml, localNameOf, parseXml, type XmlElement } from '../verify/xml.ts'
import { xmlAttribute, xmlFields, xmlValue } from '../verify/xml-values.ts'

/** What Salesforce can be told beyond the common options. */
export type SalesforceOutboundOptions = {
  /** The organization that sends, as 15 or 18 characters. Messages of any other are refused. Default: not looked at. */
  readonly organizationId?: string | undefined
}

/** Salesforce outbound messages. The secret is a text that you choose and write into the endpoint's address as `?token=…`. https://developer.salesforce.com/docs/atlas.en-us.api.meta/api/sforce_api_om_outboundmessaging_notifications.htm */
export const salesforceOutbound: (options: ProviderOptions & SalesforceOutboundOptions) => Provider =
  defineProvider<SalesforceOutboundOptions>(({ organizationId }) => ({
    name: 'salesforce-outbound',
    title: 'Salesforce outbound messages',
    documentation:
      'https://developer.salesforce.com/docs/atlas.en-us.api.meta/api/sforce_api_om_outboundmessaging_notifications.htm',
    scheme: token({ query: 'token' }),
    idField: '"Id" of each Notification',
    isIdSigned: false,
    isBatch: true,
    readDocument,
    identify: ({ document }) => listAt(document, 'Notification').map((one, index) => eventOf(document, one, index)),
    handshakes: { after_verification: onlyFrom(organizationId) },
    // Nothing but this message ends the retries, one for all notifications of a delivery.
    answer: () => ({ status: 200, headers: { 'content-type': 'text/xml; charset=utf-8' }, body: acknowledgement }),
    successStatus: '200 with the SOAP message that acknowledges it',
    confidence: 'documents',
    order: 'not_guaranteed',
    uncertain: ['the wording of the acknowledgement (second-hand)'],
    weaknesses: [
      'Salesforce signs nothing. The secret is part of the address, which ends up in logs along the way; ask for its client certificate in front of this if you can.',
    ],
    surprises: [
      'A 200 alone is no success: the answer has to be a SOAP message with an Ack.',
      'A message holds the record as it is when it is sent; changes in between are never seen.',
      'The type is the object and the id of the outbound message, such as Opportunity.04k5g000000XyZa: listen to "Opportunity.*" for all of an object.',
      'With "Send Session ID" every message carries a live session, which is stored with its body: leave it off.',
    ],
    retryHours: 24,
    retrySchedule: 'With growing pauses of up to 2 hours; after 24 hours the message is dropped',
    sending: { longestPauseSeconds: 7_200, successes: [200], successBody: { holds: 'Ack>true<' } },
    deadlineSeconds: 60,
    ownOptions: { organizationId: 'the organization that sends (15 or 18 characters); messages of others are refused' },
    mistakes: /^00D[A-Za-z0-9]{12}(?:[A-Za-z0-9]{3})?$/.test(organizationId ?? '00D000000000000')
      ? []
      : ['"organizationId" must be the 15 or 18 characters of an organization id, which starts with 00D.'],
    compose: ({ id = freshId('04l'), type = 'Opportunity.04k5g000000XyZaAAK', payload = {} }) =>
      soapEvent({ id, type, record: payload, organization: organizationId ?? '00D5g000000AbCdEAK' }),
  }))

/** Only the first 15 characters count; the other three are a checksum that not every page of Salesforce shows. */
function onlyFrom(organizationId: string | undefined): Handshake {
  return ({ document }) => {
    const sender = field(document, 'OrganizationId')
    const isRight = typeof sender === 'string' && sender.slice(0, 15) === organizationId?.slice(0, 15)
    return organizationId === undefined || document === undefined || isRight
      ? undefined
      : { kind: 'malformed', detail: 'The OrganizationId is not the configured one.' }
  }
}

/** The message as plain data: its head, and its notifications as a list. */
const readDocument: ReadDocument = ({ body }) => {
  const text = decodeUtf8(body)
  const message = elementAt(text === undefined ? undefined : parseXml(text), 'Body.notifications')
  if (message === undefined) return { kind: 'malformed', detail: 'The body is not a SOAP message with notifications.' }
  const head = ['OrganizationId', 'ActionId', 'SessionId', 'EnterpriseUrl', 'PartnerUrl'].map((name) => [
    name,
    xmlValue(elementAt(message, name)),
  ])
  const notifications = childrenNamed(message, 'Notification').map((notification) => ({
    Id: xmlValue(elementAt(notification, 'Id')),
    sObject: recordOf(elementAt(notification, 'sObject')),
  }))
  return { kind: 'parsed', document: { ...Object.fromEntries(head), Notification: notifications } }
}

function recordOf(element: XmlElement | undefined): unknown {
  if (element === undefined) return undefined
  const type = xmlAttribute(element, 'type')
  return { ...xmlFields(element), ...(type === undefined ? {} : { type: localNameOf(type) }) }
}

function eventOf(document: unknown, notification: unknown, index: number): ClaimedEvent {
  const [type, action] = [field(notification, 'sObject.type'), field(document, 'ActionId')]
  return {
    id: field(notification, 'Id'),
    type: typeof type === 'string' && typeof action === 'string' ? `${type}.${action}` : type,
    objectId: field(notification, 'sObject.Id'),
    part: `/Notification/${index}`,
  }
}

const envelope = (body: string): string =>
  '<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/">' +
  `<soapenv:Body>${body}</soapenv:Body></soapenv:Envelope>`

const acknowledgement = envelope(
  '<notificationsResponse xmlns="http://soap.sforce.com/2005/09/outbound"><Ack>true</Ack></notificationsResponse>',
)

function soapEvent({
  id,
  type,
  record,
  organization,
}: {
  readonly id: string
  readonly type: string
  readonly record: Readonly<Record<string, unknown>>
  readonly organization: string
}): ComposedEvent {
  const [object = '', action = '04k5g000000XyZaAAK'] = type.split('.').map(escapeXml)
  const given = isObject(record.sObject) ? record.sObject : record
  const fields: Readonly<Record<string, unknown>> = { Id: freshId('006'), ...given }
  const written = Object.entries(fields).map(([name, value]) => `<sf:${name}>${escapeXml(String(value))}</sf:${name}>`)
  const body =
    '<notifications xmlns="http://soap.sforce.com/2005/09/outbound">' +
    `<OrganizationId>${escapeXml(organization)}</OrganizationId><ActionId>${action}</ActionId>` +
    `<Notification><Id>${escapeXml(id)}</Id><sObject xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ` +
    `xsi:type="sf:${object}" xmlns:sf="urn:sobject.enterprise.soap.sforce.com">${written.join('')}</sObject></Notification>` +
    '</notifications>'
  return { body: envelope(body), headers: { 'content-type': 'text/xml; charset=utf-8', soapaction: '""' } }
}
