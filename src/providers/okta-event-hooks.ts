import { jsonAnswer } from '../verify/answers.ts'
import { freshUuid, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { emptyBatch } from '../verify/empty-batch.ts'
import type { Incoming } from '../verify/incoming.ts'
import { field, listAt } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { HandshakeAnswer } from '../verify/provider-declaration.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { token } from '../verify/schemes/token.ts'

/** Okta event hooks. The secret is the authentication secret of the hook, the whole value of the header `Authorization`. https://developer.okta.com/docs/concepts/event-hooks/ */
export const oktaEventHooks: (options: ProviderOptions) => Provider = defineProvider({
  name: 'okta-event-hooks',
  title: 'Okta event hooks',
  documentation: 'https://developer.okta.com/docs/concepts/event-hooks/',
  scheme: token({ header: 'authorization' }),
  idField: '"uuid" of each element of "data.events"',
  isIdSigned: false,
  isBatch: true,
  identify: ({ document }) =>
    listAt(document, 'data.events').map((event, index) => ({
      id: field(event, 'uuid'),
      type: field(event, 'eventType'),
      deliveryId: field(document, 'eventId'),
      objectId: field(event, 'target.0.id'),
      occurredAt: fromDateText(field(event, 'published')),
      part: `/data/events/${index}`,
    })),
  methods: ['POST', 'GET'],
  handshakes: {
    before_verification: oneTimeVerification,
    after_verification: emptyBatch((document) => field(document, 'data.events')),
  },
  handshakeGuide:
    'One GET with the header X-Okta-Verification-Challenge when the hook is verified; its value is given back as JSON, so GET has to reach this address too.',
  answer: () => ({ status: 200 }),
  successStatus: '200 or 204, with an empty body',
  // A 4xx is never tried again: a wrong secret of ours must not cost events their one retry.
  refusalStatus: { forged: 503 },
  confidence: 'documents',
  order: 'not_guaranteed',
  uncertain: ['when its one retry comes'],
  surprises: [
    'There is one retry at most, and none after a 4xx.',
    'Events of one moment come in one delivery; its "eventId" belongs to the delivery, and "uuid" to each event.',
    'The name of the header can be chosen in Okta: leave it at Authorization.',
  ],
  retrySchedule: 'Once, after a timeout or a 5xx, never after a 4xx',
  sending: { retries: 1, successes: [200, 204], finalStatuses: ['4xx'] },
  // One retry is not enough to lean on: what fails here is better kept here.
  isFailureRetried: false,
  deadlineSeconds: 3,
  compose: ({ id, type = 'user.session.start', payload }, at) => {
    const event = {
      uuid: id ?? freshUuid(),
      published: at.toISOString(),
      eventType: type,
      actor: { id: '00u1qw6mqitPHM8AJ0g7', type: 'User' },
      outcome: { result: 'SUCCESS' },
      target: [],
    }
    return jsonEvent({
      eventType: 'com.okta.event_hook',
      eventTypeVersion: '1.0',
      cloudEventsVersion: '0.1',
      source: 'https://example.okta.com/api/v1/eventHooks/who7hphp39JoHLni81d7',
      eventId: freshUuid(),
      eventTime: at.toISOString(),
      data: { events: [event] },
      ...payload,
    })
  },
})

function oneTimeVerification({ delivery: { method }, headers }: Incoming): HandshakeAnswer {
  if (method !== 'GET') return undefined
  const verification = headers.get('x-okta-verification-challenge')
  return verification === undefined || verification === ''
    ? { kind: 'malformed', detail: 'The header X-Okta-Verification-Challenge is expected, once.' }
    : jsonAnswer({ verification })
}
