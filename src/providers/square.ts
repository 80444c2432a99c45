import { hmac } from '../verify/algorithms/hmac.ts'
import { freshId, freshUuid, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** Square. The secret is the subscription's signature key; behind a proxy set `publicUrl`. https://developer.squareup.com/docs/webhooks/step3validate */
export const square: (options: ProviderOptions) => Provider = defineProvider({
  name: 'square',
  title: 'Square',
  documentation: 'https://developer.squareup.com/docs/webhooks/step3validate',
  scheme: signature({
    header: 'x-square-hmacsha256-signature',
    format: plain({ algorithm: hmac('sha256'), encoding: 'base64' }),
    over: '{url}{body}',
  }),
  idField: 'the body field "event_id"',
  isIdSigned: true,
  reads: ['event_id', 'type', 'data.id', 'created_at'],
  identify: ({ document }) => ({
    id: field(document, 'event_id'),
    type: field(document, 'type'),
    objectId: field(document, 'data.id'),
    occurredAt: fromDateText(field(document, 'created_at')),
  }),
  confidence: 'executed',
  uncertain: ['when it tries again (quoted by others from its documents)', 'the order of events'],
  surprises: [
    'The notification URL is signed too, exactly as it was typed into the subscription: a slash at its end makes a difference.',
    'A retry has the same signature as the first try.',
    'An endpoint that has not answered 2xx once in three weeks is switched off.',
  ],
  retryHours: 24,
  retrySchedule: '11 times: after 1, 2, 4, 8, 16, 32 and 60 minutes, then 2, 4, 8 and 8 hours',
  sending: {
    pausesSeconds: [60, 120, 240, 480, 960, 1_920, 3_600, 7_200, 14_400, 28_800, 28_800],
    leftOut: ['After three weeks without a success the subscription is switched off.'],
  },
  deadlineSeconds: 10,
  compose: ({ id, type, payload }, at) =>
    jsonEvent(
      {
        merchant_id: '6SSW7HV8K2ST5',
        created_at: at.toISOString(),
        data: {
          type: 'payment',
          id: freshId(),
          object: { payment: { status: 'COMPLETED', amount_money: { amount: 4200, currency: 'EUR' } } },
        },
        ...payload,
        event_id: id ?? payload?.event_id ?? freshUuid(),
        type: type ?? payload?.type ?? 'payment.updated',
      },
      { 'user-agent': 'Square Connect v2', 'square-environment': 'Sandbox' },
    ),
})
