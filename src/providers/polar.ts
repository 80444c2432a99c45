import { freshUuid, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { base64Secret, utf8Secret } from '../verify/keys.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { eitherReading } from '../verify/schemes/either-reading.ts'
import { standardWebhooksScheme } from '../verify/schemes/standard-webhooks.ts'

/** Polar. The secret is the endpoint's, whole. https://polar.sh/docs/integrate/webhooks/delivery */
export const polar: (options: ProviderOptions) => Provider = defineProvider({
  name: 'polar',
  title: 'Polar',
  documentation: 'https://polar.sh/docs/integrate/webhooks/delivery',
  // Polar's server signs with the characters of the secret; its newest library also tries them as base64, as the standard has it.
  scheme: eitherReading(standardWebhooksScheme({ secret: utf8Secret }), base64Secret({ prefix: 'whsec_' })),
  idField: 'the header webhook-id',
  isIdSigned: true,
  reads: ['type', 'data.id', 'timestamp'],
  identify: ({ headers, document }) => ({
    id: headers.get('webhook-id'),
    type: field(document, 'type'),
    objectId: field(document, 'data.id'),
    occurredAt: fromDateText(field(document, 'timestamp')),
  }),
  confidence: 'executed',
  uncertain: ['the order of events (its source holds an event back for one minute at most)'],
  surprises: [
    'The characters of the secret are the key, where Standard Webhooks would have it in base64.',
    'subscription.updated comes beside subscription.active, subscription.canceled and the like, for one change.',
    'After 10 failed deliveries in a row the endpoint is switched off, and a redirect counts as a failure.',
  ],
  retryHours: 0.6,
  retrySchedule: 'ten tries in all, 2 seconds apart at first, then twice as long each time, up to 20 minutes',
  sending: { pausesSeconds: [2], growth: 2, longestPauseSeconds: 1_200, retries: 9, switchedOffAfterLostEvents: 10 },
  deadlineSeconds: 10,
  compose: ({ id = freshUuid(), type, payload }, at) =>
    jsonEvent(
      {
        timestamp: at.toISOString(),
        data: { id: freshUuid(), status: 'paid', total_amount: 4200, currency: 'eur' },
        ...payload,
        type: type ?? payload?.type ?? 'order.paid',
      },
      { 'user-agent': 'polar.sh webhooks', 'webhook-id': id },
    ),
})
