import { freshId, freshUuid, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { standardWebhooksScheme } from '../verify/schemes/standard-webhooks.ts'
import { svixDelivery } from '../verify/svix-delivery.ts'

/** Resend. The secret is the webhook's signing secret `whsec_…`. https://resend.com/docs/webhooks/retries-and-replays */
export const resend: (options: ProviderOptions) => Provider = defineProvider({
  ...svixDelivery,
  name: 'resend',
  title: 'Resend',
  documentation: 'https://resend.com/docs/webhooks/retries-and-replays',
  scheme: standardWebhooksScheme({ names: ['svix'] }),
  reads: ['type', 'data.email_id', 'created_at'],
  identify: ({ headers, document }) => ({
    id: headers.get('svix-id'),
    type: field(document, 'type'),
    objectId: field(document, 'data.email_id'),
    occurredAt: fromDateText(field(document, 'created_at')),
  }),
  confidence: 'executed',
  uncertain: ['for how long a message can be sent again by hand'],
  surprises: [
    'A person can send a message again from the dashboard, also one that had succeeded.',
    'One e-mail has many events, so its email_id tells no events apart.',
  ],
  compose: ({ id = freshId('msg_'), type, payload }, at) =>
    jsonEvent(
      {
        created_at: at.toISOString(),
        data: { email_id: freshUuid(), from: 'Acme <hello@example.com>', to: ['jenny@example.com'], subject: 'Hello' },
        ...payload,
        type: type ?? payload?.type ?? 'email.delivered',
      },
      { 'svix-id': id },
    ),
})
