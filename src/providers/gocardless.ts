import { hmac } from '../verify/algorithms/hmac.ts'
import { freshId, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { emptyBatch } from '../verify/empty-batch.ts'
import { dottedType } from '../verify/event-type.ts'
import type { ClaimedEvent } from '../verify/identity.ts'
import { field, listAt } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** GoCardless. The secret is the webhook endpoint's. https://developer.gocardless.com/getting-started/staying-up-to-date-with-webhooks */
export const gocardless: (options: ProviderOptions) => Provider = defineProvider({
  name: 'gocardless',
  title: 'GoCardless',
  documentation: 'https://developer.gocardless.com/getting-started/staying-up-to-date-with-webhooks',
  scheme: signature({
    header: 'webhook-signature',
    format: plain({ algorithm: hmac('sha256'), encoding: 'hex' }),
  }),
  idField: 'the "id" of each entry of "events"',
  isIdSigned: true,
  isBatch: true,
  identify: ({ document }) =>
    listAt(document, 'events').map((event, index) => eventOf(event, index, field(document, 'meta.webhook_id'))),
  handshakes: { after_verification: emptyBatch((document) => field(document, 'events')) },
  confidence: 'executed',
  uncertain: ['its wish for 498 as the answer to a wrong signature', 'how long it tries again', 'the order of events'],
  surprises: [
    'One request can hold many events: each is taken once by its own id, and "meta.webhook_id" names only the request.',
    'The header has the name of Standard Webhooks, but plain hexadecimal digits in it, and no time is signed.',
    'A redirect counts as a failure.',
  ],
  retrySchedule: 'up to 8 times at growing intervals (1, 2, 10 minutes and so on)',
  sending: { pausesSeconds: [60, 120, 600], retries: 8 },
  deadlineSeconds: 10,
  compose: ({ id = freshId('EV'), type = 'payments.confirmed', payload }, at) => {
    const [resource = '', action = ''] = type.split('.', 2)
    const event = {
      id,
      created_at: at.toISOString(),
      resource_type: resource,
      action,
      links: { [linkOf(resource)]: freshId('PM') },
      details: { origin: 'gocardless', cause: `payment_${action}`, description: 'An event of a test.' },
      metadata: {},
    }
    return jsonEvent({ events: [event], meta: { webhook_id: freshId('WB') }, ...payload })
  },
})

function eventOf(event: unknown, index: number, webhookId: unknown): ClaimedEvent {
  const resource = field(event, 'resource_type')
  return {
    id: field(event, 'id'),
    type: dottedType([resource, field(event, 'action')]),
    deliveryId: webhookId,
    objectId: field(event, `links.${linkOf(String(resource))}`),
    occurredAt: fromDateText(field(event, 'created_at')),
    part: `/events/${index}`,
  }
}

/** Types are in the plural, links in the singular: `billing_requests` has the link `billing_request`. */
function linkOf(resource: string): string {
  return resource.replace(/s$/, '')
}
