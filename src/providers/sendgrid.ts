import { ecdsa } from '../verify/algorithms/ecdsa.ts'
import { type ComposedEvent, freshId, unixSeconds } from '../verify/compose.ts'
import { fromUnixSeconds } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { emptyBatch } from '../verify/empty-batch.ts'
import { anyPrivateKey, anyPublicKey } from '../verify/keys.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** The SendGrid Event Webhook. `publicKey` is the verification key of its settings. https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features */
export const sendgrid: (options: ProviderOptions) => Provider = defineProvider({
  name: 'sendgrid',
  title: 'SendGrid Event Webhook',
  documentation:
    'https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features',
  scheme: signature({
    header: 'x-twilio-email-event-webhook-signature',
    format: plain({ algorithm: ecdsa(), encoding: 'base64' }),
    over: '{timestamp}{body}',
    timestampHeader: 'x-twilio-email-event-webhook-timestamp',
    // No limit is documented. It retries for 24 hours, and nobody says whether a retry has a new timestamp.
    toleranceSeconds: 25 * 3600,
    publicKey: anyPublicKey,
    privateKey: anyPrivateKey,
  }),
  idField: 'the field "sg_event_id" of each event',
  isIdSigned: true,
  isBatch: true,
  identify: ({ document }) =>
    (Array.isArray(document) ? document : []).map((event, index) => ({
      id: field(event, 'sg_event_id'),
      type: field(event, 'event'),
      objectId: field(event, 'sg_message_id'),
      occurredAt: fromUnixSeconds(field(event, 'timestamp')),
      part: `/${index}`,
    })),
  handshakes: { after_verification: emptyBatch((document) => document) },
  retryHours: 24,
  retrySchedule: 'at growing intervals, for 24 hours after each event',
  confidence: 'executed',
  uncertain: ['how long it waits for an answer', 'whether a retry has a new timestamp'],
  surprises: [
    'There are line breaks (CRLF) between the events and at the end of the body; what trims them breaks the signature.',
    'Duplicates do happen: one event was reported to have come 46 times in 29 hours.',
  ],
  compose: ({ id, type, payload }, at) =>
    batch([
      {
        email: 'jenny@example.com',
        timestamp: unixSeconds(at),
        sg_message_id: freshId(),
        ...payload,
        event: type ?? payload?.event ?? 'delivered',
        sg_event_id: id ?? payload?.sg_event_id ?? freshId(),
      },
    ]),
})

/** A list of events in the layout of SendGrid. */
function batch(events: readonly unknown[]): ComposedEvent {
  const body = `[${events.map((event) => JSON.stringify(event)).join(',\r\n')}]\r\n`
  return { body, headers: { 'content-type': 'application/json', 'user-agent': 'SendGrid Event API' } }
}
