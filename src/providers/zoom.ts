import { hmac } from '../verify/algorithms/hmac.ts'
import { jsonAnswer } from '../verify/answers.ts'
import { encode } from '../verify/bytes.ts'
import { freshId, jsonEvent } from '../verify/compose.ts'
import { fromUnixMilliseconds } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { digestOf } from '../verify/derived-identity.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { HandshakeAnswer, HandshakeKeys } from '../verify/provider-declaration.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId } from '../verify/safe-id.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** Zoom. The secret is the app's secret token. https://developers.zoom.us/docs/api/webhooks/ */
export const zoom: (options: ProviderOptions) => Provider = defineProvider({
  name: 'zoom',
  title: 'Zoom',
  documentation: 'https://developers.zoom.us/docs/api/webhooks/',
  scheme: signature({
    header: 'x-zm-signature',
    format: plain({ algorithm: hmac('sha256'), encoding: 'hex', prefix: 'v0=' }),
    over: 'v0:{timestamp}:{body}',
    timestampHeader: 'x-zm-request-timestamp',
    // No limit is documented. The last retry comes after 85 minutes, and nobody says whether it has a new timestamp.
    toleranceSeconds: 5400,
  }),
  idField: 'the body fields "event" and "event_ts" and a digest of "payload"',
  isIdSigned: true,
  // The token that downloads a recording stands beside the payload, and is no part of the identity.
  identify: ({ document }) => {
    const [event, eventAt, payload] = ['event', 'event_ts', 'payload'].map((name) => field(document, name))
    return {
      id: payload === undefined ? undefined : compositeId([event, eventAt, digestOf(payload)]),
      type: event,
      objectId: field(payload, 'object.uuid') ?? field(payload, 'object.id'),
      occurredAt: fromUnixMilliseconds(eventAt),
    }
  },
  handshakes: {
    // Only after verification: to anybody else the answer would be a way to have any text signed.
    after_verification: ({ document }, keys) =>
      field(document, 'event') === 'endpoint.url_validation'
        ? proofOfSecret(field(document, 'payload.plainToken'), keys)
        : undefined,
  },
  handshakeGuide:
    'a signed POST endpoint.url_validation with a token, which is answered together with its HMAC; repeated every 72 hours',
  // Zoom takes 200 and 204 for success.
  answer: () => ({ status: 200 }),
  successStatus: '200 or 204',
  retryHours: 1.42,
  retrySchedule: 'after 5 minutes, then 20, then 60',
  sending: { pausesSeconds: [300, 1_200, 3_600], successes: [200, 204] },
  deadlineSeconds: 3,
  confidence: 'executed',
  surprises: [
    'There is no event id: the kind, the moment and the content make one.',
    'The address is validated again every 72 hours, so the greeting has to stay in place.',
  ],
  compose: ({ id, type, payload }, at) =>
    jsonEvent({
      event_ts: at.getTime(),
      payload: { account_id: 'AAAAAABBBB', object: { id: '1234567890', uuid: id ?? freshId(), topic: 'Planning' } },
      ...payload,
      event: type ?? payload?.event ?? 'meeting.started',
    }),
})

/** Knowing the secret is shown by signing the token with it. */
async function proofOfSecret(plainToken: unknown, keys: HandshakeKeys): Promise<HandshakeAnswer> {
  const [key] = await keys()
  if (typeof plainToken !== 'string' || key === undefined) {
    return { kind: 'malformed', detail: 'The field "payload.plainToken", or the secret to sign it with, is missing.' }
  }
  return jsonAnswer({ plainToken, encryptedToken: encode(hmac('sha256').make(key, [plainToken]), 'hex') })
}
