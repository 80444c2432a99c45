import { hmac } from '../verify/algorithms/hmac.ts'
import { freshUuid, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field, isObject } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** Klarna. The secret is the webhook's signing key; give every key that is live. https://docs.klarna.com/klarna-network-distribution/setup-your-integration/connection-configuration/setup-your-webhooks/ */
export const klarna: (options: ProviderOptions) => Provider = defineProvider({
  name: 'klarna',
  title: 'Klarna',
  documentation:
    'https://docs.klarna.com/klarna-network-distribution/setup-your-integration/connection-configuration/setup-your-webhooks/',
  scheme: signature({
    header: 'klarna-signature',
    format: plain({ algorithm: hmac('sha256'), encoding: 'hex' }),
  }),
  idField: 'the body field "metadata.event_id"',
  isIdSigned: true,
  identify: ({ document }) => ({
    id: field(document, 'metadata.event_id'),
    type: field(document, 'metadata.event_type'),
    objectId: objectIdIn(field(document, 'payload')),
    occurredAt: fromDateText(field(document, 'metadata.occurred_at')),
  }),
  confidence: 'unsure',
  uncertain: [
    'how the signature is written (read in a plugin of Klarna’s partner, not in its documents)',
    'that a retry keeps the id',
    'its deadline',
  ],
  surprises: [
    'The header klarna-signing-key-id says which key signed. Here every configured key is tried, so it need not be read.',
    'Its documents speak of 12 hours of retries, but the delays that they list add up to 21.',
  ],
  retryHours: 22,
  retrySchedule: 'after 10 seconds, 2 and 15 minutes, then 3, 6 and 12 hours',
  sending: { pausesSeconds: [10, 120, 900, 10_800, 21_600, 43_200], successes: [200, 201, 202, 204] },
  successStatus: '200, 201, 202 or 204',
  compose: ({ id, type, payload }, at) =>
    jsonEvent(
      {
        metadata: {
          event_type: type ?? 'payment.request.state-change.completed',
          event_id: id ?? freshUuid(),
          event_version: 'v2',
          occurred_at: at.toISOString(),
          live: false,
        },
        payload: {
          payment_request_id: `krn:payment:eu1:request:${freshUuid()}`,
          state: 'COMPLETED',
          previous_state: 'IN_PROGRESS',
        },
        ...payload,
      },
      { 'klarna-signing-key-id': 'krn:partner:global:notification:signing-key:f0a6ed57' },
    ),
})

/** Each kind of object has its id under a name of its own, as the first of its members. */
function objectIdIn(payload: unknown): unknown {
  if (!isObject(payload)) return undefined
  return Object.entries(payload).find(([name]) => name.endsWith('_id'))?.[1]
}
