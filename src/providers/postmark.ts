import { freshNumber, freshUuid, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import type { ClaimedEvent } from '../verify/identity.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId } from '../verify/safe-id.ts'
import { basicAuth } from '../verify/schemes/basic-auth.ts'

/** Postmark. The secret is `user:password` of the webhook's address. https://postmarkapp.com/developer/webhooks/webhooks-overview */
export const postmark: (options: ProviderOptions) => Provider = defineProvider({
  name: 'postmark',
  title: 'Postmark',
  documentation: 'https://postmarkapp.com/developer/webhooks/webhooks-overview',
  scheme: basicAuth(),
  idField: 'the body fields "RecordType" and "ID", or "MessageID", "Recipient" and the time',
  isIdSigned: false,
  reads: [
    'RecordType',
    'MessageID',
    'ID',
    'Recipient',
    'DeliveredAt',
    'ReceivedAt',
    'ChangedAt',
    'BouncedAt',
    'OriginalLink',
  ],
  identify: ({ document }) => identityOf(document),
  // Postmark takes nothing but 200 for success; 403 would end its retries, and is never answered here.
  answer: () => ({ status: 200 }),
  successStatus: '200 only',
  // Of inbound mail; the other kinds have schedules of their own.
  retryHours: 10.5,
  retrySchedule: 'inbound mail after 1 and 5 minutes, three times 10, then 15 and 30 minutes, 1, 2 and 6 hours',
  sending: {
    pausesSeconds: [60, 300, 600, 600, 600, 900, 1_800, 3_600, 7_200, 21_600],
    successes: [200],
    finalStatuses: [403],
    leftOut: ['The pauses are those of inbound mail; other types have others, which were not found.'],
  },
  confidence: 'documents',
  uncertain: ['how long it waits for an answer', 'the retries of other kinds than inbound mail', 'the list of fields'],
  surprises: [
    'Nothing is signed: put a user and a password into the address of the webhook.',
    'An answer of 403 makes it give the event up.',
    'Inbound mail has no RecordType; here its type is "Inbound".',
  ],
  compose: ({ id, type = 'Delivery', payload }, at) => {
    const sample = type === 'Bounce' || type === 'SpamComplaint' ? bounce(id, at) : delivery(id, at)
    return jsonEvent(
      { ...(type === 'Inbound' ? {} : { RecordType: type }), ...sample, ...payload },
      { 'user-agent': 'Postmark' },
    )
  },
})

/** Bounces and complaints have a number; everything else is a moment in the life of a message. */
function identityOf(document: unknown): ClaimedEvent {
  const kind = field(document, 'RecordType') ?? 'Inbound'
  const message = field(document, 'MessageID')
  const [number, recipient] = [field(document, 'ID'), field(document, 'Recipient')]
  const moment = ['DeliveredAt', 'ReceivedAt', 'ChangedAt', 'BouncedAt']
    .map((name) => field(document, name))
    .find((value) => value !== undefined)
  const inLifeOf = [kind, message, recipient, moment, field(document, 'OriginalLink') ?? '-']
  const parts = number !== undefined ? [kind, number] : kind === 'Inbound' ? [kind, message] : inLifeOf
  return { id: compositeId(parts), type: kind, objectId: message, occurredAt: fromDateText(moment) }
}

function delivery(id: string | undefined, at: Date): Readonly<Record<string, unknown>> {
  return { MessageID: id ?? freshUuid(), Recipient: 'jenny@example.com', DeliveredAt: at.toISOString(), Tag: 'welcome' }
}

function bounce(id: string | undefined, at: Date): Readonly<Record<string, unknown>> {
  return { ID: id ?? freshNumber(), MessageID: freshUuid(), Email: 'jenny@example.com', BouncedAt: at.toISOString() }
}
