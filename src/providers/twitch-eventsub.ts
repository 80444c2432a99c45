import { hmac } from '../verify/algorithms/hmac.ts'
import { plainTextAnswer } from '../verify/answers.ts'
import { freshId, freshUuid, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** Twitch EventSub over webhooks. The secret is the one given when subscribing. https://dev.twitch.tv/docs/eventsub/handling-webhook-events */
export const twitchEventsub: (options: ProviderOptions) => Provider = defineProvider({
  name: 'twitch-eventsub',
  title: 'Twitch EventSub',
  documentation: 'https://dev.twitch.tv/docs/eventsub/handling-webhook-events',
  scheme: signature({
    header: 'twitch-eventsub-message-signature',
    format: plain({ algorithm: hmac('sha256'), encoding: 'hex', prefix: 'sha256=' }),
    over: '{id}{timestamp}{body}',
    idHeader: 'twitch-eventsub-message-id',
    timestampHeader: 'twitch-eventsub-message-timestamp',
    timestampUnit: 'iso8601',
    toleranceSeconds: 600,
  }),
  idField: 'the header twitch-eventsub-message-id',
  isIdSigned: true,
  // The headers with the types are not signed; the body says the same and is.
  identify: ({ headers, document }) => ({
    id: headers.get('twitch-eventsub-message-id'),
    type: isRevocation(document) ? 'revocation' : field(document, 'subscription.type'),
    objectId: field(document, 'event.id') ?? field(document, 'subscription.id'),
    occurredAt: fromDateText(headers.get('twitch-eventsub-message-timestamp')),
  }),
  handshakes: {
    after_verification: ({ document }) => {
      const challenge = field(document, 'challenge')
      return typeof challenge === 'string' ? plainTextAnswer(challenge) : undefined
    },
  },
  handshakeGuide: 'a signed POST with a challenge for each new subscription, which is answered as plain text',
  confidence: 'documents',
  uncertain: [
    'how it signs, and the answer to the challenge (second-hand)',
    'how old a message may be (remembered)',
    'how long it retries',
    'how long it waits for an answer (the documents say a few seconds)',
  ],
  surprises: [
    'The signed time has up to nine digits behind the second: it is signed as it is written.',
    'A revoked subscription is an event of the type "revocation"; subscribe again if it was not meant.',
    'Too many slow answers revoke the subscription.',
  ],
  compose: ({ id = freshUuid(), type = 'channel.follow', payload }, at) => {
    const subscription = {
      id: freshUuid(),
      status: 'enabled',
      type,
      version: '1',
      condition: { broadcaster_user_id: '12826' },
      transport: { method: 'webhook', callback: 'https://hooks.example.com/twitch-eventsub' },
      created_at: at.toISOString(),
    }
    const event = { id: freshId(), user_id: '1337', user_name: 'Awesome_User', broadcaster_user_id: '12826' }
    return jsonEvent(
      { subscription, ...(payload ?? { event }) },
      {
        'twitch-eventsub-message-id': id,
        'twitch-eventsub-message-retry': '0',
        'twitch-eventsub-message-type': 'notification',
        'twitch-eventsub-subscription-type': type,
      },
    )
  },
})

/** A message that carries neither an event nor several says that there will be no more. */
function isRevocation(document: unknown): boolean {
  return field(document, 'event') === undefined && field(document, 'events') === undefined
}
