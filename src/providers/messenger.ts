import { hmac } from '../verify/algorithms/hmac.ts'
import { freshId, jsonEvent } from '../verify/compose.ts'
import { fromUnixMilliseconds } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { digestOf } from '../verify/derived-identity.ts'
import type { ClaimedEvent } from '../verify/identity.ts'
import { metaChange } from '../verify/meta-change.ts'
import { type MetaSubscriptionOptions, metaSubscription } from '../verify/meta-subscription.ts'
import { field, isObject, listAt } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId } from '../verify/safe-id.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** What Messenger can be told beyond the common options. */
export type MessengerOptions = MetaSubscriptionOptions

/** The Messenger Platform. The secret is the app secret. https://developers.facebook.com/docs/messenger-platform/webhooks */
export const messenger: (options: ProviderOptions & MessengerOptions) => Provider = defineProvider<MessengerOptions>(
  (options) => ({
    ...metaSubscription(options),
    name: 'messenger',
    title: 'Messenger Platform',
    documentation: 'https://developers.facebook.com/docs/messenger-platform/webhooks',
    scheme: signature({
      header: 'x-hub-signature-256',
      format: plain({ algorithm: hmac('sha256'), encoding: 'hex', prefix: 'sha256=' }),
    }),
    idField: 'the "mid" of a message or postback, and otherwise by who wrote to whom, when and what',
    isIdSigned: true,
    isBatch: true,
    identify: ({ document }) => listAt(document, 'entry').flatMap(eventsOfEntry),
    // Meta takes nothing but 200 for success.
    answer: () => ({ status: 200 }),
    successStatus: '200 only',
    retryHours: 36,
    retrySchedule: 'after an hour of failures the app is unsubscribed from the page',
    sending: { successes: [200], leftOut: ['After an hour of failures the app is unsubscribed from the page.'] },
    deadlineSeconds: 5,
    confidence: 'unsure',
    uncertain: [
      'the 5 seconds it waits (older documents say 20)',
      'that an hour of failures ends the subscription',
      'that it retries for 36 hours, as other products of Meta do',
      'in which order events arrive',
    ],
    surprises: [
      'Umlauts and slashes are escaped in what is signed (\\u00e4, \\/): JSON that was parsed and written again does not match.',
      'What the page itself sends comes back as an echo (message.is_echo), if echoes are subscribed: do not answer it.',
      'What another app is in charge of comes as "standby.message" and so on.',
    ],
    compose: ({ id, type = 'message', payload }, at) => {
      const [page, time] = ['682498302938465', at.getTime()]
      const content = { mid: id ?? freshId('m_'), text: 'Hello' }
      const item = { sender: { id: '5847204721' }, recipient: { id: page }, timestamp: time, [type]: content }
      return jsonEvent(payload ?? { object: 'page', entry: [{ id: page, time, messaging: [item] }] })
    },
  }),
)

function eventsOfEntry(entry: unknown, entryIndex: number): readonly ClaimedEvent[] {
  const pointer = `/entry/${entryIndex}`
  return [
    ...listAt(entry, 'messaging').map((item, index) => eventOf(item, `${pointer}/messaging/${index}`)),
    ...listAt(entry, 'standby').map((item, index) => {
      const event = eventOf(item, `${pointer}/standby/${index}`)
      return { ...event, type: event.type === undefined ? undefined : `standby.${event.type}` }
    }),
    ...listAt(entry, 'changes').map((change, index) => metaChange(entry, change, `${pointer}/changes/${index}`)),
  ]
}

/** What stands around the one member that names the type. */
const envelope = ['sender', 'recipient', 'timestamp', 'prior_message', 'hop_context']

type MessagingEvent = ClaimedEvent & { readonly type: string | undefined }

function eventOf(item: unknown, part: string): MessagingEvent {
  const type = isObject(item) ? Object.keys(item).find((name) => !envelope.includes(name)) : undefined
  const content = isObject(item) && type !== undefined ? item[type] : undefined
  const mid = field(content, 'mid')
  const isNew = (type === 'message' || type === 'postback') && mid !== undefined
  const rest = ['sender.id', 'recipient.id', 'timestamp'].map((path) => field(item, path) ?? '-')
  const isDeleted = field(content, 'is_deleted') === true
  return {
    // An edit, a reaction or a receipt repeats the mid of the message that it is about.
    id: isNew ? compositeId(isDeleted ? [mid, 'deleted'] : [mid]) : compositeId([type, ...rest, digestOf(content)]),
    type,
    objectId: mid,
    occurredAt: fromUnixMilliseconds(field(item, 'timestamp')),
    part,
  }
}
