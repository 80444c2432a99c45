import { jsonAnswer } from '../verify/answers.ts'
import { claimedCloudEvent } from '../verify/cloud-event.ts'
import { freshUuid, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { deliveryConsent } from '../verify/delivery-consent.ts'
import { emptyBatch } from '../verify/empty-batch.ts'
import type { ClaimedEvent } from '../verify/identity.ts'
import type { Incoming } from '../verify/incoming.ts'
import { field } from '../verify/object.ts'
import { oneOrMany } from '../verify/one-or-many.ts'
import type { Provider } from '../verify/provider.ts'
import type { Handshake, HandshakeAnswer } from '../verify/provider-declaration.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId, partsOfId } from '../verify/safe-id.ts'
import { token } from '../verify/schemes/token.ts'

/** Azure Event Grid, in its own schema and as CloudEvents. The secret is a text that you choose and write into the address as `?token=…`. https://learn.microsoft.com/azure/event-grid/delivery-and-retry */
export const azureEventGrid: (options: ProviderOptions) => Provider = defineProvider({
  name: 'azure-event-grid',
  title: 'Azure Event Grid',
  documentation: 'https://learn.microsoft.com/azure/event-grid/delivery-and-retry',
  scheme: token({ query: 'token' }),
  idField: '"topic" and "id" of each event, or "source" and "id" of a CloudEvent',
  isIdSigned: false,
  isBatch: true,
  identify: ({ document }) => oneOrMany(document, eventOf),
  methods: ['POST', 'OPTIONS'],
  // Both greetings come to the address with its token, so strangers get none of these answers.
  handshakes: {
    after_verification: (incoming, keys) => consent(incoming, keys) ?? validation(incoming) ?? nothing(incoming, keys),
  },
  handshakeGuide:
    'A POST with a SubscriptionValidationEvent, whose code is given back; for CloudEvents an OPTIONS with WebHook-Request-Origin, so OPTIONS has to reach this address too.',
  successStatus: '200, 201, 202, 203 or 204',
  // After 400, 401, 403 and 413 Event Grid gives an event up at once. Whatever is wrong here can be put right while it tries again.
  refusalStatus: { forged: 503, malformed: 503 },
  confidence: 'documents',
  order: 'not_guaranteed',
  uncertain: ['that nothing is signed (remembered)'],
  weaknesses: ['Event Grid signs nothing. The secret is part of the address, which ends up in logs along the way.'],
  surprises: [
    'After 400, 401, 403 or 413 an event is dropped at once, unless the subscription has a dead-letter destination. Oncehook answers 503 to what it does not believe or understand.',
    'Event Grid sends a list even for one event.',
    'An answer that takes more than 30 seconds counts as none, and the event may come again although it was taken.',
  ],
  retryHours: 24,
  retrySchedule:
    'After 10 and 30 seconds, 1, 5, 10 and 30 minutes, 1, 3, 6 and 12 hours; the number of tries and the hours can be set lower',
  sending: {
    pausesSeconds: [10, 30, 60, 300, 600, 1_800, 3_600, 10_800, 21_600, 43_200],
    successes: [200, 201, 202, 203, 204],
    finalStatuses: [400, 401, 403, 413],
  },
  deadlineSeconds: 30,
  // A batch has up to 1 MB as Event Grid counts it, and a 413 would lose it.
  maximumBodyBytes: 2 * 1024 * 1024,
  compose: ({ id, type, payload }, at) => {
    const [topic = exampleTopic, own = id] = id?.includes(':') === true ? partsOfId(id) : []
    const event = {
      topic,
      subject: '/blobServices/default/containers/invoices/blobs/1001.pdf',
      eventTime: at.toISOString(),
      data: { api: 'PutBlob', contentType: 'application/pdf' },
      dataVersion: '1',
      metadataVersion: '1',
      ...payload,
      id: own ?? payload?.id ?? freshUuid(),
      eventType: type ?? payload?.eventType ?? 'Microsoft.Storage.BlobCreated',
    }
    return jsonEvent([event], { 'aeg-event-type': 'Notification' })
  },
})

const exampleTopic =
  '/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/example/providers/Microsoft.Storage/storageAccounts/example'

/** Publishers choose ids, so one is unique within its topic only. */
function eventOf(event: unknown): ClaimedEvent {
  if (field(event, 'specversion') !== undefined) return claimedCloudEvent(event)
  return {
    id: compositeId([field(event, 'topic'), field(event, 'id')]),
    type: field(event, 'eventType'),
    objectId: field(event, 'subject'),
    occurredAt: fromDateText(field(event, 'eventTime')),
  }
}

const consent: Handshake = deliveryConsent()
const nothing: Handshake = emptyBatch((document) => document)

/** The code is enough; the address in the event is never visited, as anybody could have written it. */
function validation({ document, headers }: Incoming): HandshakeAnswer {
  const type = field(document, '0.eventType')
  if (headers.get('aeg-event-type') !== 'SubscriptionValidation' && type !== validationType) return undefined
  const code = field(document, '0.data.validationCode')
  return typeof code === 'string'
    ? jsonAnswer({ validationResponse: code })
    : { kind: 'malformed', detail: 'The field "data.validationCode" is missing.' }
}

const validationType = 'Microsoft.EventGrid.SubscriptionValidationEvent'
