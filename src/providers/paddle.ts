import { hmac } from '../verify/algorithms/hmac.ts'
import { freshId, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { signature } from '../verify/schemes/signature.ts'
import { pairs } from '../verify/schemes/signature-format.ts'

/** Paddle Billing. The secret is the destination's whole `pdl_ntfset_…`. https://developer.paddle.com/webhooks/about/signature-verification */
export const paddle: (options: ProviderOptions) => Provider = defineProvider({
  name: 'paddle',
  title: 'Paddle Billing',
  documentation: 'https://developer.paddle.com/webhooks/about/signature-verification',
  scheme: signature({
    header: 'paddle-signature',
    format: pairs({
      algorithm: hmac('sha256'),
      encoding: 'hex',
      separator: ';',
      timestamp: 'ts',
      signature: 'h1',
      // Paddle's own library keeps the last h1 only: what it refuses is refused here too.
      which: 'last',
    }),
    over: '{timestamp}:{body}',
    toleranceSeconds: 5,
  }),
  idField: 'the body field "event_id"',
  isIdSigned: true,
  // A notification id belongs to one destination, and a replay has a new one; the event id stays.
  reads: ['event_id', 'event_type', 'notification_id', 'data.id', 'occurred_at'],
  identify: ({ document }) => ({
    id: field(document, 'event_id'),
    type: field(document, 'event_type'),
    deliveryId: field(document, 'notification_id'),
    objectId: field(document, 'data.id'),
    occurredAt: fromDateText(field(document, 'occurred_at')),
  }),
  successStatus: '200',
  confidence: 'executed',
  uncertain: [
    'whether events arrive in order',
    'that a replay has a new notification id',
    'the tolerance (from its library)',
  ],
  surprises: [
    'A signature is valid for 5 seconds only, so the clock of this machine has to be right.',
    'Of several signatures Paddle’s own library looks at the last one only, and so does Oncehook.',
    'The notification id belongs to one destination; the event id is what stays.',
  ],
  retryHours: 72,
  retrySchedule: 'Up to 60 times over 3 days in live mode',
  sending: { retries: 60, successes: [200] },
  deadlineSeconds: 5,
  // Paddle takes nothing but 200 for success.
  answer: () => ({ status: 200 }),
  compose: ({ id, type, payload }, at) =>
    jsonEvent({
      occurred_at: at.toISOString(),
      notification_id: freshId('ntf_'),
      data: { id: freshId('txn_'), status: 'completed', currency_code: 'EUR' },
      ...payload,
      event_id: id ?? payload?.event_id ?? freshId('evt_'),
      event_type: type ?? payload?.event_type ?? 'transaction.completed',
    }),
})
