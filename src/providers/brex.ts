import { freshId, jsonEvent } from '../verify/compose.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { standardWebhooksScheme } from '../verify/schemes/standard-webhooks.ts'

/** Brex. The secret is one of those that its API lists under /v1/webhooks/secrets. https://developer.brex.com/docs/webhooks */
export const brex: (options: ProviderOptions) => Provider = defineProvider({
  name: 'brex',
  title: 'Brex',
  documentation: 'https://developer.brex.com/docs/webhooks',
  scheme: standardWebhooksScheme(),
  idField: 'the header webhook-id',
  isIdSigned: true,
  reads: ['event_type'],
  identify: ({ headers, document }) => ({
    id: headers.get('webhook-id'),
    type: field(document, 'event_type'),
  }),
  confidence: 'unsure',
  uncertain: [
    'how it signs (second-hand: read in programs that receive from it)',
    'that a retry keeps webhook-id',
    'whether and how long it tries again',
    'its deadline',
  ],
  surprises: [
    'There is no id in the body: only the header tells two events apart.',
    'While a secret is being changed its API lists two: give both.',
  ],
  compose: ({ id = freshId('msg_'), type, payload }) =>
    jsonEvent(
      {
        transfer_id: freshId('dptx_'),
        payment_type: 'ACH',
        company_id: 'cuacc_ckz0ubjqj000001uyhfkg7a8t',
        ...payload,
        event_type: type ?? payload?.event_type ?? 'TRANSFER_PROCESSED',
      },
      { 'webhook-id': id },
    ),
})
