import { hmac } from '../verify/algorithms/hmac.ts'
import { freshNumber, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { digestOf } from '../verify/derived-identity.ts'
import { field, isObject } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId } from '../verify/safe-id.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** Lemon Squeezy. The secret is the webhook's signing secret. https://docs.lemonsqueezy.com/help/webhooks/webhook-requests */
export const lemonsqueezy: (options: ProviderOptions) => Provider = defineProvider({
  name: 'lemonsqueezy',
  title: 'Lemon Squeezy',
  documentation: 'https://docs.lemonsqueezy.com/help/webhooks/webhook-requests',
  scheme: signature({
    header: 'x-signature',
    format: plain({ algorithm: hmac('sha256'), encoding: 'hex' }),
  }),
  idField: 'the name of the event, the object, when it was updated, and its attributes',
  isIdSigned: true,
  identify: ({ document }) => {
    const [name, updatedAt] = [field(document, 'meta.event_name'), field(document, 'data.attributes.updated_at')]
    const [objectType, objectId] = [field(document, 'data.type'), field(document, 'data.id')]
    return {
      // Times are whole seconds, so two changes within one are told apart by what they say.
      id: compositeId([name, objectType, objectId, updatedAt, digestOf(lastingAttributes(document))]),
      type: name,
      objectId,
      occurredAt: fromDateText(updatedAt),
    }
  },
  confidence: 'documents',
  uncertain: ['what meta.webhook_id means', 'its deadline', 'which events describe one purchase'],
  surprises: [
    'There is no documented event id. "meta.webhook_id" is in real deliveries, but nobody says whether a retry keeps it.',
    'All retries are over within three minutes: what is missed then has to be sent again by hand or read from the API.',
    'One purchase can make several events, such as order_created and subscription_created.',
  ],
  retryHours: 0.05,
  retrySchedule: 'three more tries, after about 5, 25 and 125 seconds',
  sending: { pausesSeconds: [5, 25, 125], successes: [200] },
  successStatus: '200 only',
  answer: () => ({ status: 200 }),
  compose: ({ id, type = 'order_created', payload }, at) =>
    jsonEvent(
      {
        meta: { test_mode: true, event_name: type },
        data: {
          type: 'orders',
          id: id ?? String(freshNumber()),
          attributes: {
            store_id: 1,
            status: 'paid',
            currency: 'EUR',
            total: 4200,
            created_at: at.toISOString(),
            updated_at: at.toISOString(),
          },
        },
        ...payload,
      },
      { 'x-event-name': type },
    ),
})

/** Links are signed anew whenever they are written, so they tell nothing about the event. */
function lastingAttributes(document: unknown): unknown {
  const attributes = field(document, 'data.attributes')
  return isObject(attributes) ? { ...attributes, urls: undefined } : attributes
}
