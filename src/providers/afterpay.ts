import { hmac } from '../verify/algorithms/hmac.ts'
import { freshId, freshUuid, jsonEvent } from '../verify/compose.ts'
import { fromUnixSeconds } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { dottedType } from '../verify/event-type.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** Afterpay disputes. The secret is the HMAC key that Afterpay hands out; behind a proxy set `publicUrl`. https://developers.cash.app/cash-app-afterpay/guides/api-development/webhook-signature-generation */
export const afterpay: (options: ProviderOptions) => Provider = defineProvider({
  name: 'afterpay',
  title: 'Afterpay (disputes)',
  documentation: 'https://developers.cash.app/cash-app-afterpay/guides/api-development/webhook-signature-generation',
  scheme: signature({
    header: 'x-afterpay-request-signature',
    format: plain({ algorithm: hmac('sha256'), encoding: 'base64' }),
    over: '{url}\n{timestamp}\n{body}',
    timestampHeader: 'x-afterpay-request-date',
    toleranceSeconds: 300,
  }),
  idField: 'the body field "webhook_event_id"',
  isIdSigned: true,
  reads: ['webhook_event_id', 'webhook_event_type', 'dispute_id'],
  identify: ({ headers, document }) => ({
    id: field(document, 'webhook_event_id'),
    type: dottedType(['dispute', field(document, 'webhook_event_type')]),
    objectId: field(document, 'dispute_id'),
    occurredAt: fromUnixSeconds(headers.get('x-afterpay-request-date')),
  }),
  confidence: 'documents',
  uncertain: [
    'that the whole address is signed (its text and its commands say so, one of its code samples takes the host alone)',
    'that a retry keeps webhook_event_id',
    'how long it tries again',
    'its deadline',
  ],
  surprises: [
    'The address that was registered with Afterpay is signed too, so it has to be known here exactly.',
    'Only disputes are told by webhooks, and an event says no more than which one: read it from the API.',
  ],
  retrySchedule: 'a few times at growing intervals',
  sending: { successes: [200] },
  successStatus: '200 only',
  answer: () => ({ status: 200 }),
  compose: ({ id, type = 'dispute.created', payload }) =>
    jsonEvent({
      dispute_id: freshId('dp_'),
      merchant_reference: '08CF65ZSFNHVM',
      ...payload,
      webhook_event_id: id ?? payload?.webhook_event_id ?? freshUuid(),
      webhook_event_type: type.replace(/^dispute\./, ''),
    }),
})
