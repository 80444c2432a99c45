import { hmac } from '../verify/algorithms/hmac.ts'
import { freshId, freshUuid, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** Coinbase Commerce. The secret is the shared secret of the notification settings. https://docs.cdp.coinbase.com/commerce/webhooks */
export const coinbaseCommerce: (options: ProviderOptions) => Provider = defineProvider({
  name: 'coinbase-commerce',
  title: 'Coinbase Commerce',
  documentation: 'https://docs.cdp.coinbase.com/commerce/webhooks',
  scheme: signature({
    header: 'x-cc-webhook-signature',
    format: plain({ algorithm: hmac('sha256'), encoding: 'hex' }),
  }),
  idField: 'the body field "event.id"',
  isIdSigned: true,
  // The outer id belongs to one attempt; the event keeps its own.
  reads: ['event.id', 'event.type', 'id', 'event.data.id', 'event.created_at'],
  identify: ({ document }) => ({
    id: field(document, 'event.id'),
    type: field(document, 'event.type'),
    deliveryId: field(document, 'id'),
    objectId: field(document, 'event.data.id'),
    occurredAt: fromDateText(field(document, 'event.created_at')),
  }),
  confidence: 'executed',
  uncertain: ['how long and how often it tries again (second-hand)', 'that only the outer fields change on a retry'],
  surprises: [
    'There are two ids. The outer one and "attempt_number" change with every attempt, so the body of a retry is another one.',
    'Webhooks of the newer Coinbase Developer Platform are signed in another way, in X-Hook0-Signature, and are not taken here.',
  ],
  retryHours: 72,
  retrySchedule: 'at growing intervals of at most one hour, for up to three days',
  sending: { longestPauseSeconds: 3_600, successes: [200], isSecondHand: true },
  successStatus: '200 only',
  answer: () => ({ status: 200 }),
  compose: ({ id, type, payload }, at) =>
    jsonEvent({
      id: freshUuid(),
      scheduled_for: at.toISOString(),
      attempt_number: 1,
      event: {
        id: id ?? freshUuid(),
        resource: 'event',
        type: type ?? 'charge:confirmed',
        api_version: '2018-03-22',
        created_at: at.toISOString(),
        data: { id: freshUuid(), code: freshId().slice(0, 8).toUpperCase(), name: 'A test' },
      },
      ...payload,
    }),
})
