import { hmac } from '../verify/algorithms/hmac.ts'
import { freshId, jsonEvent } from '../verify/compose.ts'
import { fromUnixMilliseconds } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { emptyBatch } from '../verify/empty-batch.ts'
import { field, listAt } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** The LINE Messaging API. The secret is the channel secret. https://developers.line.biz/en/docs/messaging-api/receiving-messages/ */
export const line: (options: ProviderOptions) => Provider = defineProvider({
  name: 'line',
  title: 'LINE Messaging API',
  documentation: 'https://developers.line.biz/en/docs/messaging-api/receiving-messages/',
  scheme: signature({
    header: 'x-line-signature',
    format: plain({ algorithm: hmac('sha256'), encoding: 'base64' }),
  }),
  idField: 'the field "webhookEventId" of each event',
  isIdSigned: true,
  isBatch: true,
  identify: ({ document }) =>
    listAt(document, 'events').map((event, index) => ({
      id: field(event, 'webhookEventId'),
      type: field(event, 'type'),
      objectId: field(event, 'message.id'),
      occurredAt: fromUnixMilliseconds(field(event, 'timestamp')),
      part: `/events/${index}`,
    })),
  handshakes: { after_verification: emptyBatch((document) => field(document, 'events')) },
  handshakeGuide: 'a signed POST without events when the address is verified, which is answered with 200',
  // Redelivery has to be switched on, so an event must not depend on it.
  isFailureRetried: false,
  retrySchedule: 'only if redelivery is switched on for the channel, which it is not at first',
  deadlineSeconds: 2,
  confidence: 'executed',
  uncertain: ['how often and how long it redelivers', 'in which order events arrive'],
  surprises: [
    'What is not answered within 2 seconds is lost, unless redelivery is switched on.',
    'A redelivered event has the same webhookEventId, and deliveryContext.isRedelivery is true.',
  ],
  compose: ({ id, type, payload }, at) => {
    const event = {
      type: type ?? 'message',
      message: { type: 'text', id: freshId(), text: 'Hello' },
      webhookEventId: id ?? freshId('01'),
      deliveryContext: { isRedelivery: false },
      timestamp: at.getTime(),
      source: { type: 'user', userId: 'U4af4980629' },
      mode: 'active',
    }
    return jsonEvent({ destination: 'U0123456789', events: [event], ...payload })
  },
})
