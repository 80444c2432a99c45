import { formEvent, freshId, freshUuid } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import type { ClaimedEvent } from '../verify/identity.ts'
import type { Incoming } from '../verify/incoming.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId } from '../verify/safe-id.ts'
import { hmacOverUrlAndForm } from '../verify/schemes/url-and-form.ts'

/** Twilio messaging, voice and Event Streams. The secret is the account's auth token; behind a proxy set `publicUrl`. https://www.twilio.com/docs/usage/webhooks/webhooks-security */
export const twilio: (options: ProviderOptions) => Provider = defineProvider({
  name: 'twilio',
  title: 'Twilio',
  documentation: 'https://www.twilio.com/docs/usage/webhooks/webhooks-security',
  scheme: hmacOverUrlAndForm({ header: 'x-twilio-signature', bodyHashParameter: 'bodySHA256' }),
  idField: 'MessageSid, CallSid or RecordingSid; for other callbacks give the option "identity"',
  isIdSigned: true,
  isBatch: true,
  identify: (incoming) => (incoming.isForm ? callback(incoming) : streamEvents(incoming)),
  // A message or call reads the answer as instructions; this one says that there are none.
  answer: () => ({ status: 200, headers: { 'content-type': 'text/xml' }, body: '<Response/>' }),
  confidence: 'executed',
  uncertain: [
    'whether status callbacks arrive in order (second-hand)',
    'the fields SequenceNumber and Timestamp of calls',
    'whether a retry keeps its idempotency token',
  ],
  surprises: [
    'The address is signed as Twilio called it: behind a proxy give "publicUrl".',
    'One message has many callbacks with the same MessageSid, so the status is part of the identity.',
    'A callback that is answered with an error is not sent again, unless the address ends in #rp=….',
    'A message or call reads the answer as instructions.',
  ],
  // Of Event Streams; a callback is retried once, and only if no connection was made.
  retryHours: 4,
  retrySchedule: 'Event Streams for 4 hours; a callback once, if no connection was made',
  sending: {
    pausesSeconds: [0],
    retriedStatuses: [],
    isTimeoutRetried: false,
    leftOut: ['Event Streams have a schedule of their own, over four hours.'],
  },
  isFailureRetried: false,
  deadlineSeconds: 15,
  compose: ({ id, type, payload }) => {
    const [sid = freshId('SM00000000'), statusOfId] = id?.split(':') ?? []
    const status = statusOfId ?? type?.split('.')[1] ?? 'delivered'
    const message = {
      AccountSid: 'AC00000000000000000000000000000000',
      From: '+15551234567',
      To: '+15558675310',
      MessageSid: sid,
    }
    const callbackFields = isInbound(status)
      ? { ...message, SmsStatus: 'received', Body: 'Hello' }
      : { ...message, SmsStatus: status, MessageStatus: status }
    return formEvent(payload ?? callbackFields, {
      'user-agent': 'TwilioProxy/1.1',
      'i-twilio-idempotency-token': freshUuid(),
    })
  },
})

/** One message or call has many callbacks, so its id alone tells no events apart. */
function callback(incoming: Incoming): ClaimedEvent {
  const { form } = incoming
  if (form.has('RecordingStatus')) return recording(form)
  return form.has('MessageSid') || form.has('SmsSid') ? message(form) : call(incoming)
}

function message(form: URLSearchParams): ClaimedEvent {
  const sid = form.get('MessageSid') ?? form.get('SmsSid')
  const status = form.get('MessageStatus') ?? form.get('SmsStatus') ?? 'received'
  const error = form.get('ErrorCode')
  const parts = isInbound(status) ? [sid] : [sid, status]
  return {
    id: compositeId(error === null || error === '' ? parts : [...parts, error]),
    type: `message.${status}`,
    objectId: sid,
  }
}

/** Requests for instructions have no sequence number, and one call makes several: they are told apart by their signed fields. */
function call({ form, bodySha256 }: Incoming): ClaimedEvent {
  const sid = form.get('CallSid')
  const status = form.get('CallStatus')
  return {
    id: compositeId([sid, status, form.get('SequenceNumber') ?? bodySha256]),
    type: status === null ? undefined : `call.${status}`,
    objectId: sid,
    occurredAt: fromDateText(form.get('Timestamp')),
  }
}

function recording(form: URLSearchParams): ClaimedEvent {
  const sid = form.get('RecordingSid')
  const status = form.get('RecordingStatus')
  return { id: compositeId([sid, status]), type: `recording.${status}`, objectId: sid }
}

function isInbound(status: string): boolean {
  return status === 'received' || status === 'receiving'
}

/** Event Streams send a list of CloudEvents. */
function streamEvents({ document }: Incoming): readonly ClaimedEvent[] {
  const events: readonly unknown[] = Array.isArray(document) ? document : [document]
  return events.map((event, index) => ({
    id: field(event, 'id'),
    type: field(event, 'type'),
    objectId: field(event, 'subject'),
    occurredAt: fromDateText(field(event, 'time')),
    ...(Array.isArray(document) ? { part: `/${index}` } : {}),
  }))
}
