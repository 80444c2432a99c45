import { hmac } from '../verify/algorithms/hmac.ts'
import { freshId, jsonEvent, unixSeconds } from '../verify/compose.ts'
import { fromUnixSeconds } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** Razorpay. The secret is the webhook's; keep the old one for a day after changing it. https://razorpay.com/docs/webhooks/best-practices */
export const razorpay: (options: ProviderOptions) => Provider = defineProvider({
  name: 'razorpay',
  title: 'Razorpay',
  documentation: 'https://razorpay.com/docs/webhooks/best-practices',
  scheme: signature({
    header: 'x-razorpay-signature',
    format: plain({ algorithm: hmac('sha256'), encoding: 'hex' }),
  }),
  idField: 'the header x-razorpay-event-id',
  isIdSigned: false,
  identify: ({ headers, document }) => ({
    id: headers.get('x-razorpay-event-id'),
    type: field(document, 'event'),
    objectId: field(document, `payload.${String(field(document, 'contains.0'))}.entity.id`),
    occurredAt: fromUnixSeconds(field(document, 'created_at')),
  }),
  order: 'not_guaranteed',
  confidence: 'executed',
  surprises: [
    'After the secret was changed, events from before are retried with the old one: give both.',
    'One payment makes two events, payment.captured and order.paid.',
  ],
  retryHours: 24,
  retrySchedule: 'at growing intervals for 24 hours after the event, then the webhook is disabled',
  sending: { switchedOffAfterLostEvents: 1 },
  manualReplayDays: 7,
  deadlineSeconds: 5,
  compose: ({ id = freshId(), type, payload }, at) =>
    jsonEvent(
      {
        entity: 'event',
        account_id: 'acc_BFQ7uQEaa7j2z7',
        contains: ['payment'],
        payload: {
          payment: {
            entity: { id: freshId('pay_'), entity: 'payment', amount: 4200, currency: 'INR', status: 'captured' },
          },
        },
        created_at: unixSeconds(at),
        ...payload,
        event: type ?? payload?.event ?? 'payment.captured',
      },
      { 'user-agent': 'Razorpay-Webhook/v1', 'x-razorpay-event-id': id },
    ),
})
