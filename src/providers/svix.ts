import { ed25519 } from '../verify/algorithms/ed25519.ts'
import { hmac } from '../verify/algorithms/hmac.ts'
import { freshId, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import type { Incoming } from '../verify/incoming.ts'
import { ed25519PrivateKey, ed25519PublicKey } from '../verify/keys.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { versions } from '../verify/schemes/signature-format.ts'
import { standardWebhooksScheme } from '../verify/schemes/standard-webhooks.ts'
import { svixDelivery } from '../verify/svix-delivery.ts'

/** Any sender that uses Svix: `secret: 'whsec_…'`, or `publicKey: 'whpk_…'`, or both. https://docs.svix.com/receiving/verifying-payloads/how-manual */
export const svix: (options: ProviderOptions) => Provider = defineProvider({
  ...svixDelivery,
  name: 'svix',
  title: 'Svix',
  documentation: 'https://docs.svix.com/receiving/verifying-payloads/how-manual',
  scheme: standardWebhooksScheme({
    names: ['svix', 'webhook'],
    format: versions({ algorithms: { v1: hmac('sha256'), v1a: ed25519 }, encoding: 'base64' }),
    publicKey: ed25519PublicKey({ prefix: 'whpk_' }),
    privateKey: ed25519PrivateKey({ prefix: 'whsk_' }),
  }),
  idField: 'the header svix-id, or webhook-id where the sender uses those names',
  reads: ['type', 'data.id', 'timestamp'],
  identify: (incoming) => ({
    id: signedId(incoming),
    // The body is the sender's own; most have a type.
    type: field(incoming.document, 'type') ?? 'message',
    objectId: field(incoming.document, 'data.id'),
    occurredAt: fromDateText(field(incoming.document, 'timestamp')),
  }),
  confidence: 'executed',
  uncertain: ['for how long a message can be sent again by hand'],
  surprises: [
    'The same headers can come as svix-… or as webhook-…; if both are there, svix-… counts.',
    'The body is whatever the sender makes of it; type and data are only customary. One without a type is taken as "message".',
    'An answer with a redirect is a failure, and an endpoint that fails for 5 days is switched off.',
  ],
  compose: ({ id = freshId('msg_'), type, payload }, at) =>
    jsonEvent(
      {
        timestamp: at.toISOString(),
        data: { id: freshId('inv_'), amount: 4200 },
        ...payload,
        type: type ?? payload?.type ?? 'invoice.paid',
      },
      { 'svix-id': id },
    ),
})

/** The id of the names that were verified: with the others an old delivery could be given a new id. */
function signedId({ headers }: Incoming): string | undefined {
  return headers.get(headers.get('svix-signature') === undefined ? 'webhook-id' : 'svix-id')
}
