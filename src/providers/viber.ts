import { hmac } from '../verify/algorithms/hmac.ts'
import { freshNumber, jsonEvent } from '../verify/compose.ts'
import { fromUnixMilliseconds } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId, partsOfId } from '../verify/safe-id.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** Viber bots. The secret is the bot's auth token. https://developers.viber.com/docs/api/rest-bot-api/ */
export const viber: (options: ProviderOptions) => Provider = defineProvider({
  name: 'viber',
  title: 'Viber bots',
  documentation: 'https://developers.viber.com/docs/api/rest-bot-api/',
  scheme: signature({
    header: 'x-viber-content-signature',
    format: plain({ algorithm: hmac('sha256'), encoding: 'hex' }),
  }),
  idField: 'the body fields "event", "message_token" and "user_id"',
  isIdSigned: true,
  // Delivered, seen and failed repeat the token of the message that they are about.
  identify: ({ document }) => {
    const event = field(document, 'event')
    const token = field(document, 'message_token')
    return {
      id: compositeId([event, token, field(document, 'user_id') ?? '-']),
      type: event,
      objectId: token,
      occurredAt: fromUnixMilliseconds(field(document, 'timestamp')),
    }
  },
  handshakes: {
    after_verification: ({ document }) => (field(document, 'event') === 'webhook' ? { status: 200 } : undefined),
  },
  handshakeGuide: 'a signed POST of the event "webhook" when the address is set, which is answered with 200',
  // Viber takes nothing but 200 for success, and shows text in the answer to a new conversation to the user.
  answer: () => ({ status: 200 }),
  successStatus: '200 only',
  retryHours: 1,
  retrySchedule: 'several times within an hour',
  sending: { successes: [200] },
  confidence: 'executed',
  uncertain: ['how long it waits for an answer', 'how often it retries'],
  surprises: [
    'message_token is a whole number beyond 2^53, which JSON.parse rounds; ids here keep every digit.',
    'The key is the token that the bot calls the API with: whoever can read it can do both.',
  ],
  compose: ({ id, type, payload }, at) => {
    const [event, token, user] = id === undefined || !id.includes(':') ? [undefined, id] : partsOfId(id)
    return jsonEvent({
      timestamp: at.getTime(),
      chat_hostname: 'SN-CHAT-05_',
      ...(user === undefined || user === '-' ? {} : { user_id: user }),
      ...payload,
      event: event ?? type ?? payload?.event ?? 'message',
      message_token: token ?? payload?.message_token ?? freshNumber(),
    })
  },
})
