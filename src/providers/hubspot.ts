import { hmac } from '../verify/algorithms/hmac.ts'
import { freshNumber, jsonEvent } from '../verify/compose.ts'
import { fromUnixMilliseconds } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { emptyBatch } from '../verify/empty-batch.ts'
import type { ClaimedEvent } from '../verify/identity.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId } from '../verify/safe-id.ts'
import { alsoSignedAs } from '../verify/schemes/also-signed-as.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** HubSpot apps, with signatures of version 3. The secret is the app's client secret. https://developers.hubspot.com/docs/guides/apps/authentication/validating-requests */
export const hubspot: (options: ProviderOptions) => Provider = defineProvider({
  name: 'hubspot',
  title: 'HubSpot',
  documentation: 'https://developers.hubspot.com/docs/guides/apps/authentication/validating-requests',
  // The documents decode some characters of the address before signing, HubSpot's own library for Node does not.
  scheme: alsoSignedAs(
    signature({
      header: 'x-hubspot-signature-v3',
      format: plain({ algorithm: hmac('sha256'), encoding: 'base64' }),
      over: '{method}{url}{body}{timestamp}',
      timestampHeader: 'x-hubspot-request-timestamp',
      timestampUnit: 'milliseconds',
      toleranceSeconds: 300,
    }),
    ({ url }) => (url === decoded(url) ? undefined : { url: decoded(url) }),
  ),
  idField: 'portalId, subscriptionId, eventId, occurredAt and the object of each element',
  isIdSigned: true,
  isBatch: true,
  order: 'not_guaranteed',
  confidence: 'executed',
  uncertain: [
    'whether 100 events are the most in one delivery',
    'whether a retry keeps its eventId, which nobody says',
  ],
  surprises: [
    'An eventId is not promised to be unique, so more than the eventId tells two events apart.',
    'The address is signed too: behind a proxy set publicUrl to the address that HubSpot calls.',
    'The header x-hubspot-signature holds versions 1 and 2, plain hashes of the secret and the body. Only version 3 is believed here.',
    'Webhooks of workflows are another product: their body is the record itself, without any id of an event.',
  ],
  identify: ({ document }) => (Array.isArray(document) ? document.map(eventOf) : []),
  handshakes: { after_verification: emptyBatch((document) => document) },
  retryHours: 24,
  retrySchedule: 'ten retries within 24 hours with random delays, after any 4xx or 5xx, a timeout or a lost connection',
  sending: { retries: 10 },
  deadlineSeconds: 5,
  compose: ({ id, type, payload }, at) =>
    jsonEvent([
      {
        subscriptionId: 25,
        portalId: 33,
        appId: 1160452,
        occurredAt: at.getTime(),
        attemptNumber: 0,
        objectId: 1246965,
        changeSource: 'CRM_UI',
        ...payload,
        eventId: id ?? payload?.eventId ?? freshNumber(),
        subscriptionType: type ?? payload?.subscriptionType ?? 'contact.creation',
      },
    ]),
})

/** `attemptNumber` counts up with every retry, so it is no part of the identity. */
function eventOf(event: unknown, index: number): ClaimedEvent {
  const [portal, id, occurredAt] = ['portalId', 'eventId', 'occurredAt'].map((name) => field(event, name))
  const link = compositeId([field(event, 'fromObjectId'), field(event, 'toObjectId')])
  const object = field(event, 'objectId') ?? link
  return {
    id: compositeId([portal, field(event, 'subscriptionId') ?? '-', id, occurredAt, object ?? '-']),
    type: field(event, 'subscriptionType'),
    objectId: object,
    occurredAt: fromUnixMilliseconds(occurredAt),
    part: `/${index}`,
  }
}

/** Only what stands in HubSpot's table; `:` and `/` of a callback in the query are the usual cases. */
function decoded(url: string): string {
  return url.replaceAll(/%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)/gi, (encoded) => decodeURIComponent(encoded))
}
