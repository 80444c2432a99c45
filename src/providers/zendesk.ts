import { hmac } from '../verify/algorithms/hmac.ts'
import { freshId, freshUuid, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import type { ClaimedEvent } from '../verify/identity.ts'
import type { Incoming } from '../verify/incoming.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** Zendesk event subscriptions, triggers and automations. The secret is the webhook's signing secret. https://developer.zendesk.com/documentation/webhooks/verifying/ */
export const zendesk: (options: ProviderOptions) => Provider = defineProvider({
  name: 'zendesk',
  title: 'Zendesk',
  documentation: 'https://developer.zendesk.com/documentation/webhooks/verifying/',
  scheme: signature({
    header: 'x-zendesk-webhook-signature',
    format: plain({ algorithm: hmac('sha256'), encoding: 'base64' }),
    over: '{timestamp}{body}',
    timestampHeader: 'x-zendesk-webhook-signature-timestamp',
    timestampUnit: 'iso8601',
    // None is documented, nor whether a retry is signed anew: an hour lets a late one through.
    toleranceSeconds: 3600,
  }),
  idField: 'the body field "id"; for triggers and automations the header x-zendesk-webhook-invocation-id',
  // The header is not covered, so this is only half true.
  isIdSigned: false,
  confidence: 'documents',
  uncertain: ['the deadline of 10 s (second-hand)', 'which answers it retries, and how often'],
  weaknesses: [
    'The id of an event subscription is signed with its body, that of a trigger or automation is a header that is not signed.',
  ],
  surprises: [
    'The time is written as ISO 8601, and nothing stands between it and the body.',
    'The body of a trigger or automation is what its author wrote: JSON, XML, a form or nothing, with any method.',
    'One action can invoke a webhook several times.',
    'A webhook that mostly fails is switched off for a while: 70 % of answers, or 1000 of them, within five minutes.',
  ],
  methods: ['POST', 'PUT', 'PATCH', 'DELETE', 'GET'],
  reads: ['id', 'type', 'detail.id', 'time'],
  identify: (incoming) => (isSubscription(incoming) ? subscribed(incoming) : triggered(incoming)),
  retrySchedule: 'after certain answers only',
  deadlineSeconds: 10,
  // It retries certain answers only, and 401 is hardly one of them: a wrong secret or clock of ours must not cost events.
  refusalStatus: { forged: 503 },
  compose: ({ id, type, payload }, at) =>
    jsonEvent(
      {
        account_id: 22129848,
        detail: { id: '6596848315901', subject: 'The parcel is lost', status: 'OPEN', requester_id: '8447388090494' },
        event: { current: 'OPEN', previous: 'NEW' },
        subject: 'zen:ticket:6596848315901',
        time: at.toISOString(),
        zendesk_event_version: '2022-11-06',
        ...payload,
        id: id ?? payload?.id ?? freshUuid(),
        type: type ?? payload?.type ?? 'zen:event-type:ticket.status_changed',
      },
      {
        'x-zendesk-account-id': '22129848',
        'x-zendesk-webhook-id': '01F1KRFQ6BG29CNWFR60NK5FNY',
        'x-zendesk-webhook-invocation-id': freshId('01'),
      },
    ),
})

/** The text is looked for first, because the body of a trigger need not be JSON, nor whole. */
function isSubscription(incoming: Incoming): boolean {
  if (!Buffer.from(incoming.delivery.body).includes(eventTypeStart)) return false
  return String(field(incoming.document, 'type')).startsWith(eventTypeStart)
}

const eventTypeStart = 'zen:event-type:'

function subscribed({ headers, document }: Incoming): ClaimedEvent {
  return {
    id: field(document, 'id'),
    type: field(document, 'type'),
    deliveryId: headers.get('x-zendesk-webhook-invocation-id'),
    objectId: field(document, 'detail.id'),
    occurredAt: fromDateText(field(document, 'time')),
  }
}

/** A trigger tells no type. */
function triggered({ headers }: Incoming): ClaimedEvent {
  return { id: headers.get('x-zendesk-webhook-invocation-id'), type: 'trigger' }
}
