import { hmac } from '../verify/algorithms/hmac.ts'
import { freshUuid, jsonEvent } from '../verify/compose.ts'
import { fromUtcText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { emptyBatch } from '../verify/empty-batch.ts'
import { dottedType } from '../verify/event-type.ts'
import type { ClaimedEvent } from '../verify/identity.ts'
import { field, listAt } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId, partsOfId } from '../verify/safe-id.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** Xero. The secret is the webhooks key as it is shown. https://developer.xero.com/documentation/webhooks/configuring-your-server */
export const xero: (options: ProviderOptions) => Provider = defineProvider({
  name: 'xero',
  title: 'Xero',
  documentation: 'https://developer.xero.com/documentation/webhooks/configuring-your-server',
  scheme: signature({
    header: 'x-xero-signature',
    format: plain({ algorithm: hmac('sha256'), encoding: 'base64' }),
  }),
  idField: 'the tenant, the resource, what happened to it and when',
  isIdSigned: true,
  isBatch: true,
  identify: ({ document }) => {
    const sequence = compositeId([field(document, 'firstEventSequence'), field(document, 'lastEventSequence')])
    return listAt(document, 'events').map((event, index) => eventOf(event, index, sequence))
  },
  handshakes: { after_verification: emptyBatch((document) => field(document, 'events')) },
  handshakeGuide:
    'Intent to receive: a few requests without events, of which some are signed wrongly. The right ones need 200 and the wrong ones 401, each within 5 seconds, and no answer may have a body. All of this is done here.',
  // Neither a body nor cookies are allowed in any answer.
  answer: () => ({ status: 200 }),
  refusalStatus: { withoutBody: true },
  confidence: 'documents',
  uncertain: ['that the key is used as text (its form is base64)', 'whether the documents are still current'],
  surprises: [
    'The key looks like base64, but its characters are the key.',
    'An answer with a body or a cookie counts as a failure, whatever its status is.',
    'An event only says which resource changed. Read it from the API.',
  ],
  retryHours: 24,
  retrySchedule: 'less and less often for up to 24 hours, then the webhook is disabled',
  sending: { successes: [200], successBody: 'empty', switchedOffAfterLostEvents: 1 },
  successStatus: '200 with an empty body and no cookies',
  deadlineSeconds: 5,
  compose: ({ id, type = 'INVOICE.UPDATE', payload }, at) => {
    const parts = id === undefined ? [] : partsOfId(id)
    const [category, action] = type.split('.', 2)
    const [
      tenantId = 'c2cc9b6e-9458-4c7d-93cc-f02b81b0594f',
      eventCategory = category,
      resourceId = id ?? freshUuid(),
      eventType = action,
      eventDateUtc = at.toISOString().replace('Z', ''),
    ] = parts.length === 5 ? parts : []
    const event = { resourceId, eventDateUtc, eventType, eventCategory, tenantId, tenantType: 'ORGANISATION' }
    return jsonEvent({ events: [event], firstEventSequence: 1, lastEventSequence: 1, entropy: 'KMZ', ...payload })
  },
})

function eventOf(event: unknown, index: number, sequence: string | undefined): ClaimedEvent {
  const [category, action] = [field(event, 'eventCategory'), field(event, 'eventType')]
  const [resourceId, date] = [field(event, 'resourceId'), field(event, 'eventDateUtc')]
  return {
    id: compositeId([field(event, 'tenantId'), category, resourceId, action, date]),
    type: dottedType([category, action]),
    deliveryId: sequence,
    objectId: resourceId,
    occurredAt: fromUtcText(date),
    part: `/events/${index}`,
  }
}
