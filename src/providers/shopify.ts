import { hmac } from '../verify/algorithms/hmac.ts'
import { freshNumber, freshUuid, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import type { Incoming } from '../verify/incoming.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** Shopify. The secret is the app's client secret; give the old one too for an hour after rotating it. https://shopify.dev/docs/apps/build/webhooks/verify-deliveries */
export const shopify: (options: ProviderOptions) => Provider = defineProvider({
  name: 'shopify',
  title: 'Shopify',
  documentation: 'https://shopify.dev/docs/apps/build/webhooks/verify-deliveries',
  scheme: signature({
    header: ['x-shopify-hmac-sha256', 'shopify-hmac-sha256'],
    format: plain({ algorithm: hmac('sha256'), encoding: 'base64' }),
  }),
  idField: 'the header x-shopify-webhook-id',
  isIdSigned: false,
  // The webhook id is one subscription's copy of an event. The event id is shared by several subscriptions to one topic.
  reads: ['id'],
  identify: (incoming) => ({
    id: shopifyHeader(incoming, 'webhook-id'),
    type: shopifyHeader(incoming, 'topic'),
    objectId: field(incoming.document, 'id'),
    occurredAt: fromDateText(shopifyHeader(incoming, 'triggered-at')),
  }),
  successStatus: '2xx; a redirect is a failure',
  confidence: 'executed',
  uncertain: ['whether events arrive in order'],
  surprises: [
    'After the client secret was rotated, deliveries are signed with the old one for up to an hour.',
    'x-shopify-webhook-id is one subscription’s delivery of an event; x-shopify-event-id is shared by all of them.',
    'Ids can have more digits than a JavaScript number can hold.',
    'After 8 failures in a row a subscription that was made through the Admin API is deleted.',
  ],
  retryHours: 4,
  retrySchedule: '8 times over 4 hours',
  sending: { retries: 8, switchedOffAfterLostEvents: 1 },
  deadlineSeconds: 5,
  compose: ({ id = freshUuid(), type = 'orders/paid', payload }, at) =>
    jsonEvent(payload ?? { id: freshNumber(), currency: 'EUR', total_price: '42.00', financial_status: 'paid' }, {
      'user-agent': 'Shopify-Captain-Hook',
      'x-shopify-topic': type,
      'x-shopify-shop-domain': 'example.myshopify.com',
      'x-shopify-api-version': '2026-10',
      'x-shopify-webhook-id': id,
      'x-shopify-event-id': freshUuid(),
      'x-shopify-triggered-at': at.toISOString(),
    }),
})

/** The newer Events product sends the same headers without `x-`. */
function shopifyHeader({ headers }: Incoming, name: string): string | undefined {
  return headers.get(`x-shopify-${name}`) ?? headers.get(`shopify-${name}`)
}
