import { freshNumber, freshUuid, jsonEvent } from '../verify/compose.ts'
import { fromUnixMilliseconds } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { token } from '../verify/schemes/token.ts'

/** RevenueCat. The secret is the whole value of the authorization header that you set. https://www.revenuecat.com/docs/integrations/webhooks */
export const revenuecat: (options: ProviderOptions) => Provider = defineProvider({
  name: 'revenuecat',
  title: 'RevenueCat',
  documentation: 'https://www.revenuecat.com/docs/integrations/webhooks',
  scheme: token({ header: 'authorization' }),
  idField: 'the body field "event.id"',
  isIdSigned: false,
  reads: ['event.id', 'event.type', 'event.original_transaction_id', 'event.app_user_id', 'event.event_timestamp_ms'],
  identify: ({ document }) => ({
    id: field(document, 'event.id'),
    type: field(document, 'event.type'),
    objectId: field(document, 'event.original_transaction_id') ?? field(document, 'event.app_user_id'),
    occurredAt: fromUnixMilliseconds(field(document, 'event.event_timestamp_ms')),
  }),
  confidence: 'documents',
  surprises: [
    'The authorization header is optional in its settings: set one. It is sent exactly as it was typed, with or without "Bearer".',
    'All retries are over after about two and a half hours.',
  ],
  retryHours: 2.58,
  retrySchedule: 'five times: after 5, 10, 20, 40 and 80 minutes',
  sending: { pausesSeconds: [300, 600, 1_200, 2_400, 4_800], successes: [200] },
  successStatus: '200 only',
  answer: () => ({ status: 200 }),
  deadlineSeconds: 60,
  compose: ({ id, type, payload }, at) =>
    jsonEvent({
      api_version: '1.0',
      event: {
        id: id ?? freshUuid(),
        type: type ?? 'RENEWAL',
        event_timestamp_ms: at.getTime(),
        app_user_id: 'customer-1001',
        original_transaction_id: String(freshNumber()),
        product_id: 'com.example.monthly',
        environment: 'SANDBOX',
        store: 'APP_STORE',
      },
      ...payload,
    }),
})
