import { freshId, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { token } from '../verify/schemes/token.ts'

/** Auth0 Event Streams. The secret is the bearer token that was chosen for the stream. https://auth0.com/docs/customize/events/create-an-event-stream */
export const auth0EventStreams: (options: ProviderOptions) => Provider = defineProvider({
  name: 'auth0-event-streams',
  title: 'Auth0 Event Streams',
  documentation: 'https://auth0.com/docs/customize/events/create-an-event-stream',
  scheme: token({ header: 'authorization', prefix: 'Bearer ' }),
  idField: 'the body field "id"',
  isIdSigned: false,
  reads: ['id', 'type', 'data.object.user_id', 'time'],
  identify: ({ document }) => ({
    id: field(document, 'id'),
    type: field(document, 'type'),
    objectId: field(document, 'data.object.user_id'),
    occurredAt: fromDateText(field(document, 'time')),
  }),
  // A 4xx makes an event fail at once: a wrong token of ours must not cost it the retries that there are.
  refusalStatus: { forged: 503 },
  confidence: 'documents',
  uncertain: ['how long it waits for an answer'],
  surprises: [
    'A 4xx ends the delivery of an event at once; it can then be sent again through the Management API only.',
    'After 500 failures in a row the stream is switched off.',
    'The method of the stream’s authorization has to be the bearer token.',
  ],
  retryHours: 0.002,
  retrySchedule: 'After 1, 2 and 4 seconds, but never after a 4xx; later only through the Management API',
  sending: { pausesSeconds: [1, 2, 4], finalStatuses: ['4xx'] },
  // Seven seconds are not enough to lean on: what fails here is better kept here.
  isFailureRetried: false,
  compose: ({ id, type, payload }, at) =>
    jsonEvent({
      specversion: '1.0',
      source: 'urn:auth0:example.users',
      time: at.toISOString(),
      a0tenant: 'example',
      a0stream: 'est_8of6RXoM1997qikH7NS11h',
      data: { object: { user_id: `auth0|${freshId()}`, email: 'jenny@example.com' } },
      ...payload,
      id: id ?? payload?.id ?? freshId('evt_'),
      type: type ?? payload?.type ?? 'user.created',
    }),
})
