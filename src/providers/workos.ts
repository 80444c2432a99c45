import { hmac } from '../verify/algorithms/hmac.ts'
import { freshId, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { signature } from '../verify/schemes/signature.ts'
import { pairs, type SignatureFormat } from '../verify/schemes/signature-format.ts'

/** WorkOS. The secret is the endpoint's signing secret. https://workos.com/docs/events/data-syncing/webhooks */
export const workos: (options: ProviderOptions) => Provider = defineProvider({
  name: 'workos',
  title: 'WorkOS',
  documentation: 'https://workos.com/docs/events/data-syncing/webhooks',
  scheme: signature({
    header: 'workos-signature',
    format: spacedPairs(),
    over: '{timestamp}.{body}',
    timestampUnit: 'milliseconds',
    toleranceSeconds: 180,
  }),
  idField: 'the body field "id"',
  isIdSigned: true,
  reads: ['id', 'event', 'data.id', 'created_at'],
  identify: ({ document }) => ({
    id: field(document, 'id'),
    type: field(document, 'event'),
    objectId: field(document, 'data.id'),
    occurredAt: fromDateText(field(document, 'created_at')),
  }),
  order: 'not_guaranteed',
  // WorkOS takes nothing but 200 for success.
  answer: () => ({ status: 200 }),
  successStatus: '200 only',
  retryHours: 72,
  retrySchedule: 'up to 6 times with growing pauses',
  sending: { retries: 6, successes: [200] },
  confidence: 'executed',
  surprises: [
    'The signed time is in milliseconds.',
    'Its own library hashes the parsed body written again, and takes a time in the future; here the bytes count, and both directions.',
  ],
  compose: ({ id, type, payload }, at) =>
    jsonEvent({
      created_at: at.toISOString(),
      data: { object: 'user', id: freshId('user_'), email: 'jenny@example.com' },
      ...payload,
      id: id ?? payload?.id ?? freshId('event_'),
      event: type ?? payload?.event ?? 'user.created',
    }),
})

/** `t=…, v1=…`: WorkOS writes a space behind the comma. */
function spacedPairs(): SignatureFormat {
  const list = pairs({
    algorithm: hmac('sha256'),
    encoding: 'hex',
    separator: ',',
    timestamp: 't',
    signature: 'v1',
  })
  return { ...list, write: (made) => list.write(made).replace(',', ', ') }
}
