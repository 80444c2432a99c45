import { freshNumber, freshUuid, jsonEvent, unixSeconds } from '../verify/compose.ts'
import { fromUnixSeconds } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { utf8Secret } from '../verify/keys.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { standardWebhooksScheme } from '../verify/schemes/standard-webhooks.ts'

/** BigCommerce. The secret is the client secret of the API account. https://developer.bigcommerce.com/docs/integrations/webhooks */
export const bigcommerce: (options: ProviderOptions) => Provider = defineProvider({
  name: 'bigcommerce',
  title: 'BigCommerce',
  documentation: 'https://developer.bigcommerce.com/docs/integrations/webhooks',
  scheme: standardWebhooksScheme({ secret: utf8Secret }),
  idField: 'the header webhook-id',
  isIdSigned: true,
  reads: ['scope', 'data.id', 'created_at'],
  identify: ({ headers, document }) => ({
    id: headers.get('webhook-id'),
    type: field(document, 'scope'),
    objectId: field(document, 'data.id'),
    occurredAt: fromUnixSeconds(field(document, 'created_at')),
  }),
  confidence: 'documents',
  uncertain: ['that a retry keeps webhook-id', 'its deadline', 'whether every store sends signatures'],
  surprises: [
    'The field "hash" is no id: it is a SHA-1 of "data", which is the same for two updates of one order.',
    'The client secret is used as it is, where Standard Webhooks would have it in base64.',
    'Payloads are light. Read the object from the API.',
    'If fewer than 90 % of the deliveries of two minutes succeed, the whole domain is left out for three minutes.',
  ],
  retryHours: 48,
  retrySchedule:
    '11 times: after 1, 3, 5, 10, 15, 30 and 60 minutes, then 2, 6, 14 and 24 hours; then the webhook is deactivated',
  sending: {
    pausesSeconds: [60, 180, 300, 600, 900, 1_800, 3_600, 7_200, 21_600, 50_400, 86_400],
    successes: [200],
    switchedOffAfterLostEvents: 1,
    leftOut: ['Below 90 % of successes within two minutes, nothing is sent for three.'],
  },
  successStatus: '200 only',
  answer: () => ({ status: 200 }),
  compose: ({ id = freshUuid(), type, payload }, at) =>
    jsonEvent(
      {
        producer: 'stores/abcde',
        hash: '0f1b5800def7b505369b08b4a3503a1db2c4b1a6',
        created_at: unixSeconds(at),
        store_id: '1001197568',
        data: { type: 'order', id: freshNumber() },
        ...payload,
        scope: type ?? payload?.scope ?? 'store/order/updated',
      },
      { 'webhook-id': id },
    ),
})
