import { hmac } from '../verify/algorithms/hmac.ts'
import { freshId, jsonEvent, unixSeconds } from '../verify/compose.ts'
import { fromUnixSeconds } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { dottedType } from '../verify/event-type.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** Customer.io reporting webhooks. The secret is the webhook's signing key. https://docs.customer.io/api/webhooks */
export const customerIo: (options: ProviderOptions) => Provider = defineProvider({
  name: 'customer-io',
  title: 'Customer.io reporting webhooks',
  documentation: 'https://docs.customer.io/api/webhooks',
  scheme: signature({
    header: 'x-cio-signature',
    format: plain({ algorithm: hmac('sha256'), encoding: 'hex' }),
    over: 'v0:{timestamp}:{body}',
    timestampHeader: 'x-cio-timestamp',
    // No limit is documented; this is that of Slack, whose scheme it is.
    toleranceSeconds: 300,
  }),
  idField: 'the body field "event_id"',
  isIdSigned: true,
  reads: ['event_id', 'object_type', 'metric', 'data.delivery_id', 'timestamp'],
  identify: ({ document }) => ({
    id: field(document, 'event_id'),
    type: dottedType([field(document, 'object_type'), field(document, 'metric')]),
    objectId: field(document, 'data.delivery_id'),
    occurredAt: fromUnixSeconds(field(document, 'timestamp')),
  }),
  deadlineSeconds: 4,
  confidence: 'documents',
  uncertain: [
    'how it signs (second-hand)',
    'how long and how often it retries',
    'whether a retry has a new timestamp',
    'how old a signature may be',
  ],
  surprises: ['The type is made of two fields: object_type and metric, such as email.clicked.'],
  compose: ({ id, type, payload }, at) => {
    const [object, metric] = type?.split('.', 2) ?? []
    return jsonEvent({
      data: { delivery_id: freshId(), recipient: 'jenny@example.com', identifiers: { id: '1001' } },
      timestamp: unixSeconds(at),
      ...payload,
      object_type: object ?? payload?.object_type ?? 'email',
      metric: metric ?? payload?.metric ?? 'delivered',
      event_id: id ?? payload?.event_id ?? freshId(),
    })
  },
})
