import { hmac } from '../verify/algorithms/hmac.ts'
import { freshId, jsonEvent, unixSeconds } from '../verify/compose.ts'
import { fromUnixSeconds } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import type { ClaimedEvent } from '../verify/identity.ts'
import { metaChange } from '../verify/meta-change.ts'
import { type MetaSubscriptionOptions, metaSubscription } from '../verify/meta-subscription.ts'
import { field, listAt } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId } from '../verify/safe-id.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** What WhatsApp can be told beyond the common options. */
export type WhatsappOptions = MetaSubscriptionOptions

/** The WhatsApp Business Platform. The secret is the app secret. https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/overview */
export const whatsapp: (options: ProviderOptions & WhatsappOptions) => Provider = defineProvider<WhatsappOptions>(
  (options) => ({
    ...metaSubscription(options),
    name: 'whatsapp',
    title: 'WhatsApp Business Platform',
    documentation: 'https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/overview',
    scheme: signature({
      header: 'x-hub-signature-256',
      format: plain({ algorithm: hmac('sha256'), encoding: 'hex', prefix: 'sha256=' }),
    }),
    idField: 'messages[].id, or statuses[].id and statuses[].status',
    isIdSigned: true,
    isBatch: true,
    identify: ({ document }) => listAt(document, 'entry').flatMap(eventsOfEntry),
    // Meta takes nothing but 200 for success.
    answer: () => ({ status: 200 }),
    successStatus: '200',
    confidence: 'executed',
    uncertain: ['how long it waits for an answer', 'whether events arrive in order'],
    surprises: [
      'A retry goes to all apps of the account, so an app that answered 200 gets the same messages again.',
      'Sent, delivered and read carry the id of the same message, so the status is part of the identity.',
      'Characters beyond ASCII come escaped, and the escapes are signed: JSON that is written anew does not verify.',
      'One delivery can hold up to a thousand updates.',
    ],
    retryHours: 168,
    retrySchedule: 'Less and less often over 7 days; an older page of Meta says 36 hours',
    sending: { successes: [200] },
    maximumBodyBytes: 3 * 1024 * 1024,
    compose: ({ id = freshId('wamid.'), type = 'messages', payload }, at) =>
      jsonEvent(payload ?? sample(id, type, String(unixSeconds(at)))),
  }),
)

function eventsOfEntry(entry: unknown, entryIndex: number): readonly ClaimedEvent[] {
  return listAt(entry, 'changes').flatMap((change, changeIndex) => {
    const pointer = `/entry/${entryIndex}/changes/${changeIndex}`
    const events = [...messages(change, pointer), ...statuses(change, pointer)]
    // Account and template updates are neither.
    return events.length > 0
      ? events
      : [{ ...metaChange(entry, change, pointer), occurredAt: fromUnixSeconds(field(entry, 'time')) }]
  })
}

function messages(change: unknown, pointer: string): readonly ClaimedEvent[] {
  return listAt(change, 'value.messages').map((message, index) => ({
    id: compositeId([field(message, 'id')]),
    type: 'messages',
    objectId: field(message, 'id'),
    occurredAt: fromUnixSeconds(field(message, 'timestamp')),
    part: `${pointer}/value/messages/${index}`,
  }))
}

/** Sent, delivered and read share the message's id. */
function statuses(change: unknown, pointer: string): readonly ClaimedEvent[] {
  return listAt(change, 'value.statuses').map((status, index) => ({
    id: compositeId([field(status, 'id'), field(status, 'status')]),
    type: 'statuses',
    objectId: field(status, 'id'),
    occurredAt: fromUnixSeconds(field(status, 'timestamp')),
    part: `${pointer}/value/statuses/${index}`,
  }))
}

function sample(id: string, type: string, timestamp: string): unknown {
  const [wamid, status = 'delivered'] = id.split(':')
  const metadata = { display_phone_number: '15550783881', phone_number_id: '106540352242922' }
  const message = { from: '16505551234', id, timestamp, type: 'text', text: { body: 'Hello' } }
  const sent = { id: wamid, status, timestamp, recipient_id: '16505551234' }
  const value = {
    messaging_product: 'whatsapp',
    metadata,
    ...(type === 'statuses' ? { statuses: [sent] } : { messages: [message] }),
  }
  const change =
    type === 'messages' || type === 'statuses' ? { value, field: 'messages' } : { value: { event: id }, field: type }
  return {
    object: 'whatsapp_business_account',
    entry: [{ id: '102290129340398', time: Number(timestamp), changes: [change] }],
  }
}
