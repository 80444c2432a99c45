import { ed25519 } from '../verify/algorithms/ed25519.ts'
import { hmac } from '../verify/algorithms/hmac.ts'
import { freshId, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { base64Secret, ed25519PrivateKey, ed25519PublicKey } from '../verify/keys.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { signature } from '../verify/schemes/signature.ts'
import { versions } from '../verify/schemes/signature-format.ts'

/** Any sender that follows Standard Webhooks: `secret: 'whsec_…'`, or `publicKey: 'whpk_…'`, or both. https://www.standardwebhooks.com */
export const standardWebhooks: (options: ProviderOptions) => Provider = defineProvider({
  name: 'standard-webhooks',
  title: 'Standard Webhooks',
  documentation: 'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
  scheme: signature({
    header: 'webhook-signature',
    format: versions({ algorithms: { v1: hmac('sha256'), v1a: ed25519 }, encoding: 'base64' }),
    over: '{id}.{timestamp}.{body}',
    idHeader: 'webhook-id',
    timestampHeader: 'webhook-timestamp',
    toleranceSeconds: 300,
    secret: base64Secret({ prefix: 'whsec_' }),
    publicKey: ed25519PublicKey({ prefix: 'whpk_' }),
    privateKey: ed25519PrivateKey({ prefix: 'whsk_' }),
  }),
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
  surprises: [
    'The secret is base64 after "whsec_", where Stripe’s secrets of the same look are not.',
    'Signatures with a key pair (v1a) have no verifier in the JavaScript reference library; they are verified here.',
    'The specification keeps ids for 5 minutes in its example, which is far shorter than its own retries.',
  ],
  // The schedule that the specification recommends; each sender decides for itself.
  retryHours: 75.59,
  retrySchedule: 'By the recommendation 9 more times, 5 seconds to 24 hours apart; each sender decides for itself',
  sending: { pausesSeconds: [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] },
  deadlineSeconds: 15,
  compose: ({ id = freshId('msg_'), type, payload }, at) =>
    jsonEvent(
      {
        timestamp: at.toISOString(),
        data: { id: freshId('inv_'), amount: 4200 },
        ...payload,
        type: type ?? payload?.type ?? 'invoice.paid',
      },
      { 'webhook-id': id },
    ),
})
