import { hmac } from '../verify/algorithms/hmac.ts'
import { isSameText } from '../verify/bytes.ts'
import { freshId, jsonEvent, unixSeconds } from '../verify/compose.ts'
import { fromUnixSeconds } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { digestOf } from '../verify/derived-identity.ts'
import type { ClaimedEvent } from '../verify/identity.ts'
import { field, listAt } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { Handshake } from '../verify/provider-declaration.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId } from '../verify/safe-id.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'
import { queryValue } from '../verify/url.ts'

/** What WhatsApp can be told beyond the common options. */
export type WhatsappOptions = {
  /** The verify token of the app's webhook settings, for the handshake. Without it Meta cannot subscribe this address. */
  readonly verifyToken?: string | undefined
}

/** The WhatsApp Business Platform. The secret is the app secret. https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/overview */
export const whatsapp: (options: ProviderOptions & WhatsappOptions) => Provider = defineProvider<WhatsappOptions>(
  ({ verifyToken }) => ({
    name: 'whatsapp',
    title: 'WhatsApp Business Platform',
    documentation: 'https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/overview',
    scheme: signature({
      header: 'x-hub-signature-256',
      format: plain({ algorithm: hmac('sha256'), encoding: 'hex', prefix: 'sha256=' }),
    }),
    idField: 'messages[].id, or statuses[].id and statuses[].status',
    isIdSigned: true,
    identify: ({ document }) => listAt(document, 'entry').flatMap(eventsOfEntry),
    methods: ['POST', 'GET'],
    handshakes: { before_verification: subscription(verifyToken) },
    // Meta takes nothing but 200 for success.
    answer: () => ({ status: 200 }),
    retryHours: 168,
    maximumBodyBytes: 3 * 1024 * 1024,
    ownOptions: {
      verifyToken: 'the verify token of the app’s webhook settings; without it Meta cannot subscribe this address',
    },
    mistakes: ['', 'undefined', 'null'].includes(verifyToken?.trim() ?? 'none') ? ['"verifyToken" is empty.'] : [],
    compose: ({ id = freshId('wamid.'), type = 'messages', payload }, at) =>
      jsonEvent(payload ?? sample(id, type, String(unixSeconds(at)))),
  }),
)

/** Meta proves nothing at the handshake: it is we who prove, by knowing the token. */
function subscription(verifyToken: string | undefined): Handshake {
  return ({ delivery: { method, url } }) => {
    if (method !== 'GET') return undefined
    const [mode, given, challenge] = ['mode', 'verify_token', 'challenge'].map((name) => queryValue(url, `hub.${name}`))
    if (mode !== 'subscribe' || given === undefined || challenge === undefined) {
      return { kind: 'malformed', detail: 'hub.mode, hub.verify_token and hub.challenge are expected, each once.' }
    }
    if (verifyToken === undefined) return { kind: 'malformed', detail: 'No verifyToken is configured for this source.' }
    if (!isSameText(given, verifyToken))
      return { kind: 'malformed', detail: 'hub.verify_token is not the configured one.' }
    const headers = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' }
    return { status: 200, headers, body: challenge }
  }
}

function eventsOfEntry(entry: unknown, entryIndex: number): readonly ClaimedEvent[] {
  return listAt(entry, 'changes').flatMap((change, changeIndex) => {
    const pointer = `/entry/${entryIndex}/changes/${changeIndex}`
    const events = [...messages(change, pointer), ...statuses(change, pointer)]
    return events.length > 0 ? events : [otherChange(entry, change, pointer)]
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

/** Account and template updates have no id. The entry's time is part of the key: being banned twice is two events. */
function otherChange(entry: unknown, change: unknown, pointer: string): ClaimedEvent {
  const type = field(change, 'field')
  const account = field(entry, 'id')
  const time = field(entry, 'time')
  return {
    id: compositeId([type, account, digestOf([time, field(change, 'value')])]),
    type,
    objectId: account,
    occurredAt: fromUnixSeconds(time),
    part: pointer,
  }
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
