import { freshUuid, jsonEvent, unixSeconds } from '../verify/compose.ts'
import { fromUtcText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId, partsOfId } from '../verify/safe-id.ts'
import { jwt } from '../verify/schemes/jwt.ts'

/** Signed webhooks of the Vonage Messages and Voice APIs. The secret is the account's signature secret. https://developer.vonage.com/en/getting-started/concepts/webhooks */
export const vonage: (options: ProviderOptions) => Provider = defineProvider({
  name: 'vonage',
  title: 'Vonage',
  documentation: 'https://developer.vonage.com/en/getting-started/concepts/webhooks',
  scheme: jwt({
    algorithm: 'HS256',
    claims: { iss: 'Vonage' },
    bodyHashClaim: 'payload_hash',
    requiredTimes: ['iat'],
    // No limit is documented, nor how long it sends again and whether with a new token. Within it a replay is a duplicate.
    toleranceSeconds: 86_400,
    signedClaims: (_, at) => ({
      iat: unixSeconds(at),
      jti: freshUuid(),
      api_key: 'a1b2c3d',
      application_id: 'aaaaaaaa-bbbb-4ccc-8ddd-0123456789ab',
    }),
  }),
  idField: 'the body fields "message_uuid" (or "uuid"), "status" and "timestamp"',
  isIdSigned: true,
  reads: ['message_uuid', 'uuid', 'conversation_uuid', 'status', 'channel', 'type', 'timestamp'],
  identify: ({ document }) => {
    const object = ['message_uuid', 'uuid', 'conversation_uuid'].map((name) => field(document, name)).find(Boolean)
    // A message that came in has a channel and no status; what a caller keyed in has neither.
    const type = ['status', 'channel', 'type'].map((name) => field(document, name)).find(Boolean) ?? 'event'
    const timestamp = field(document, 'timestamp')
    return { id: compositeId([object, type, timestamp]), type, objectId: object, occurredAt: fromUtcText(timestamp) }
  },
  // An unsigned callback may slip through when something fails at Vonage, and comes again after a 5xx.
  refusalStatus: { forged: 503 },
  successStatus: '200 to 205',
  sending: { successes: [200, 201, 202, 203, 204, 205], retriedStatuses: ['5xx'] },
  confidence: 'executed',
  uncertain: ['how often and how long it sends again', 'how long it waits for an answer'],
  surprises: [
    'The token alone says nothing about the body: its claim "payload_hash" has to be compared, which the library leaves to you.',
    'The older SMS API signs with a parameter "sig" instead and is not understood here.',
  ],
  compose: ({ id, type, payload }, at) => {
    const [uuid = freshUuid(), status = type ?? 'delivered', timestamp = timestampOf(at)] =
      id === undefined ? [] : partsOfId(id)
    return jsonEvent({
      to: '447700900000',
      from: '447700900001',
      channel: 'whatsapp',
      message_uuid: uuid,
      status,
      timestamp,
      ...payload,
    })
  },
})

/** In UTC and without saying so, as Vonage writes it. */
function timestampOf(at: Date): string {
  return at.toISOString().slice(0, 19).replace('T', ' ')
}
