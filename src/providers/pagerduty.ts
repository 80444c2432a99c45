import { hmac } from '../verify/algorithms/hmac.ts'
import { freshUuid, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field, isObject } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { eachOnce } from '../verify/schemes/each-once.ts'
import { signature } from '../verify/schemes/signature.ts'
import { pairs } from '../verify/schemes/signature-format.ts'

/** PagerDuty V3 webhooks. The secret is the webhook subscription's. https://developer.pagerduty.com/docs/verifying-signatures */
export const pagerduty: (options: ProviderOptions) => Provider = defineProvider({
  name: 'pagerduty',
  title: 'PagerDuty (v3)',
  documentation: 'https://developer.pagerduty.com/docs/verifying-signatures',
  // While a secret is being changed there is one v1 for each that is live.
  scheme: signature({
    header: 'x-pagerduty-signature',
    format: eachOnce(pairs({ algorithm: hmac('sha256'), encoding: 'hex', separator: ',', signature: 'v1' })),
  }),
  idField: 'the body field "event.id"',
  isIdSigned: true,
  // The header x-webhook-id is as stable, but it is not signed and tells two subscriptions apart instead of two events.
  reads: ['event.id', 'event.event_type', 'event.data.id', 'event.occurred_at'],
  identify: ({ headers, document }) => ({
    id: field(document, 'event.id'),
    type: field(document, 'event.event_type'),
    deliveryId: headers.get('x-webhook-id'),
    objectId: field(document, 'event.data.id'),
    occurredAt: fromDateText(field(document, 'event.occurred_at')),
  }),
  order: 'guaranteed',
  // Any other 4xx than 429 drops the webhook at once, and three in a row switch the subscription off for a day.
  refusalStatus: { forged: 503, malformed: 503 },
  confidence: 'documents',
  surprises: [
    'A 4xx other than 429 drops the webhook for good, and after three in a row nothing comes for 24 hours. What is refused here is therefore answered with 503.',
    'Order is kept for each subscription and incident, for payloads up to 55 KB.',
    'The JavaScript in its documents does not run as it is printed.',
  ],
  retryHours: 48,
  retrySchedule: 'after a 5xx, a 429, no answer, or most connection errors',
  sending: {
    retriedStatuses: [429, '5xx'],
    switchedOffAfterLostEvents: 3,
    leftOut: ['What is switched off comes back after 24 hours.'],
  },
  successStatus: '2xx, best 202',
  deadlineSeconds: 5,
  compose: ({ id, type, payload }, at) => {
    const given = isObject(payload?.event) ? payload.event : {}
    return jsonEvent(
      {
        ...payload,
        event: {
          resource_type: 'incident',
          occurred_at: at.toISOString(),
          agent: { id: 'PLH1HKV', summary: 'Tenex Engineer', type: 'user_reference' },
          data: { id: 'PGR0VU2', type: 'incident', number: 2, status: 'triggered', title: 'The database is slow' },
          ...given,
          id: id ?? given.id ?? freshUuid(),
          event_type: type ?? given.event_type ?? 'incident.triggered',
        },
      },
      { 'user-agent': 'PagerDuty-Webhook/V3.0', 'x-webhook-id': freshUuid(), 'x-webhook-subscription': 'PDEF123' },
    )
  },
})
