import { hmac } from '../verify/algorithms/hmac.ts'
import { freshId, jsonEvent } from '../verify/compose.ts'
import { fromUnixSeconds } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field, isObject } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId, partsOfId } from '../verify/safe-id.ts'
import { signedFields } from '../verify/schemes/signed-fields.ts'

/** Mailgun. The secret is the account's HTTP webhook signing key. https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks */
export const mailgun: (options: ProviderOptions) => Provider = defineProvider({
  name: 'mailgun',
  title: 'Mailgun',
  documentation: 'https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks',
  scheme: signedFields({
    algorithm: hmac('sha256'),
    encoding: 'hex',
    // The second is made with the key of the primary account, where a subaccount sends.
    signatures: ['signature.signature', 'signature.parent-signature'],
    over: ['signature.timestamp', 'signature.token'],
    timestamp: 'signature.timestamp',
    // Mailgun names no limit; this is that of a common library.
    toleranceSeconds: 900,
  }),
  idField: 'the body field "event-data.id" and the day of "event-data.timestamp"',
  isIdSigned: false,
  // Mailgun promises that an id is unique within a day, and no longer.
  reads: [
    'event-data.timestamp',
    'event-data.id',
    'event-data.event',
    'signature.token',
    'event-data.message.headers.message-id',
  ],
  identify: ({ document }) => {
    const occurredAt = fromUnixSeconds(field(document, 'event-data.timestamp'))
    return {
      id: compositeId([occurredAt?.toISOString().slice(0, 10), field(document, 'event-data.id')]),
      type: field(document, 'event-data.event'),
      deliveryId: field(document, 'signature.token'),
      objectId: field(document, 'event-data.message.headers.message-id'),
      occurredAt,
    }
  },
  // Mailgun takes nothing but 200 for success; 406 would end its retries, and is never answered here.
  answer: () => ({ status: 200 }),
  successStatus: '200 only',
  retryHours: 8,
  retrySchedule: 'after 5, 10 and 15 minutes, then 1, 2 and 4 hours; "delivered" is not tried again',
  sending: {
    pausesSeconds: [300, 600, 900, 3_600, 7_200, 14_400],
    successes: [200],
    finalStatuses: [406],
    typesSentOnce: ['delivered'],
  },
  // That of "delivered" is not, so nothing may depend on it.
  isFailureRetried: false,
  confidence: 'documents',
  uncertain: [
    'how long it waits for an answer',
    'how old a signature may be (15 minutes is the limit of a library that is not Mailgun’s own)',
    'whether a retry has a new timestamp',
  ],
  weaknesses: [
    'Only the time and a random token are signed: for 15 minutes whoever saw one delivery can send any event with its proof. ' +
      'The token is kept as the delivery id, so that a second event with the same one can be found.',
  ],
  surprises: [
    'The signature is inside the body, and says nothing about the event beside it.',
    'An event id is unique within a day only, so the day is part of the identity.',
    'An answer of 406 makes it give the event up.',
  ],
  compose: ({ id, type, payload }, at) => {
    const given = isObject(payload?.['event-data']) ? payload['event-data'] : {}
    return jsonEvent({
      signature: { token: freshId(), timestamp: '', signature: '' },
      ...payload,
      'event-data': {
        timestamp: at.getTime() / 1000,
        recipient: 'jenny@example.com',
        message: { headers: { 'message-id': `${freshId()}@mg.example.com` } },
        ...given,
        id: (id === undefined ? undefined : partsOfId(id).at(-1)) ?? given.id ?? freshId(),
        event: type ?? given.event ?? 'delivered',
      },
    })
  },
})
