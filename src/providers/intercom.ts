import { hmac } from '../verify/algorithms/hmac.ts'
import { freshUuid, jsonEvent, unixSeconds } from '../verify/compose.ts'
import { fromUnixSeconds } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** Intercom topics. The secret is the app's client secret. https://developers.intercom.com/docs/webhooks/webhook-notifications */
export const intercom: (options: ProviderOptions) => Provider = defineProvider({
  name: 'intercom',
  title: 'Intercom',
  documentation: 'https://developers.intercom.com/docs/webhooks/webhook-notifications',
  scheme: signature({
    header: 'x-hub-signature',
    format: plain({ algorithm: hmac('sha1'), encoding: 'hex', prefix: 'sha1=' }),
  }),
  idField: 'the body field "id"',
  isIdSigned: true,
  confidence: 'documents',
  uncertain: ['how it signs (second-hand)', 'the deadline of 5 s (second-hand)', 'when and how long it tries again'],
  surprises: [
    'The body holds delivery_attempts, so its bytes are new with every attempt. The id stays.',
    'More than 1000 errors in a row within 15 minutes pause a topic for 15 minutes; seven days of errors suspend the webhook of a private app.',
    'Answers that take longer than 500 ms get a lower priority.',
  ],
  identify: ({ document }) => ({
    id: field(document, 'id'),
    type: field(document, 'topic'),
    objectId: field(document, 'data.item.id'),
    occurredAt: fromUnixSeconds(field(document, 'created_at')),
  }),
  handshakeGuide:
    'a signed notification with the topic "ping" comes when the address is saved; it is answered with 200',
  handshakes: {
    after_verification: ({ document }) => (field(document, 'topic') === 'ping' ? { status: 200 } : undefined),
  },
  retrySchedule: 'after an answer of 429 it waits between one minute and two hours; the rest is not documented',
  sending: {
    leftOut: [
      'A 429 is followed by a pause of one minute to two hours.',
      'More than 1000 errors in a row pause the topic.',
    ],
  },
  deadlineSeconds: 5,
  compose: ({ id, type, payload }, at) =>
    jsonEvent({
      type: 'notification_event',
      app_id: 'a86dr8yl',
      data: { type: 'notification_event_data', item: { type: 'conversation', id: '123' } },
      delivery_status: 'pending',
      delivery_attempts: 1,
      delivered_at: 0,
      first_sent_at: unixSeconds(at),
      created_at: unixSeconds(at),
      ...payload,
      id: id ?? payload?.id ?? `notif_${freshUuid()}`,
      topic: type ?? payload?.topic ?? 'conversation.user.created',
    }),
})
