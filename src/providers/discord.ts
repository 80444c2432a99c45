import { ed25519 } from '../verify/algorithms/ed25519.ts'
import { jsonAnswer } from '../verify/answers.ts'
import { freshNumber, jsonEvent } from '../verify/compose.ts'
import { fromDateText, fromUnixSeconds } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { digestOf } from '../verify/derived-identity.ts'
import type { ClaimedEvent } from '../verify/identity.ts'
import { ed25519PrivateKey, ed25519PublicKey } from '../verify/keys.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId } from '../verify/safe-id.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** Interactions by the number Discord gives them, and the answer that buys time for the real one. */
const interactions: readonly { readonly number: number; readonly type: string; readonly answer: unknown }[] = [
  { number: 2, type: 'interaction.application_command', answer: { type: 5 } },
  { number: 3, type: 'interaction.message_component', answer: { type: 6 } },
  { number: 4, type: 'interaction.application_command_autocomplete', answer: { type: 8, data: { choices: [] } } },
  { number: 5, type: 'interaction.modal_submit', answer: { type: 5 } },
]

/** Discord interactions and webhook events. `publicKey` is the application's. https://docs.discord.com/developers/interactions/receiving-and-responding */
export const discord: (options: ProviderOptions) => Provider = defineProvider({
  name: 'discord',
  title: 'Discord',
  documentation: 'https://docs.discord.com/developers/interactions/receiving-and-responding',
  scheme: signature({
    header: 'x-signature-ed25519',
    format: plain({ algorithm: ed25519, encoding: 'hex_any_case' }),
    over: '{timestamp}{body}',
    timestampHeader: 'x-signature-timestamp',
    // Webhook events are retried for ten minutes, and nobody says whether a retry has a new timestamp.
    toleranceSeconds: 900,
    publicKey: ed25519PublicKey(),
    privateKey: ed25519PrivateKey(),
  }),
  idField: 'the body field "id"',
  isIdSigned: true,
  // An interaction is never sent again; only webhook events are.
  isFailureRetried: false,
  identify: ({ document }) => (isWebhookEvent(document) ? webhookEvent(document) : interactionEvent(document)),
  handshakes: {
    after_verification: ({ document }) => {
      if (isWebhookEvent(document)) return field(document, 'type') === 0 ? { status: 204 } : undefined
      return field(document, 'type') === 1 ? jsonAnswer({ type: 1 }) : undefined
    },
  },
  answer: ({ document }) => {
    const known = interactions.find(({ number }) => number === field(document, 'type'))
    return isWebhookEvent(document) || known === undefined ? { status: 204 } : jsonAnswer(known.answer)
  },
  handshakeGuide: 'A PING, answered in kind; Discord also sends wrong signatures and wants 401 for them',
  successStatus: '2xx; for webhook events 204',
  confidence: 'executed',
  order: 'not_guaranteed',
  uncertain: ['whether ids of interactions can repeat', 'whether a retry of a webhook event has a new timestamp'],
  surprises: [
    'An interaction waits for its answer: Oncehook gives the one that says "later", and the handler follows up.',
    'Interactions and webhook events both say "type": 1, one for a PING and one for an event.',
    'Webhook events have no id; the moment and the content make one.',
  ],
  // Of webhook events; interactions are never retried.
  retryHours: 0.17,
  retrySchedule: 'Webhook events with growing pauses over 10 minutes; interactions never',
  sending: { typesSentOnce: ['interaction.'] },
  deadlineSeconds: 3,
  compose: ({ id, type = 'interaction.application_command', payload }, at) => {
    const number = interactions.find((known) => known.type === type)?.number
    const event = {
      version: 1,
      application_id: applicationId,
      type: 1,
      event: { type, timestamp: at.toISOString(), data: {} },
    }
    const interaction = {
      application_id: applicationId,
      version: 1,
      token: 'aW50ZXJhY3Rpb24',
      data: { id: '1', name: 'order' },
    }
    return jsonEvent(
      isWebhookEvent(payload) || (number === undefined && payload?.type === undefined)
        ? { ...event, ...payload }
        : { ...interaction, type: number, ...payload, id: id ?? payload?.id ?? snowflake(at) },
    )
  },
})

const applicationId = '1234567890123456789'

/** Both products use `type: 1`, one for a ping and one for an event; only interactions have an id. */
function isWebhookEvent(document: unknown): boolean {
  return (
    field(document, 'id') === undefined && (field(document, 'event') !== undefined || field(document, 'type') === 0)
  )
}

/** Webhook events carry no id; the moment and the content make one. */
function webhookEvent(document: unknown): ClaimedEvent {
  const type = field(document, 'event.type')
  const timestamp = field(document, 'event.timestamp')
  return {
    id: compositeId([type, timestamp, digestOf(field(document, 'event.data'))]),
    type,
    occurredAt: fromDateText(timestamp),
  }
}

function interactionEvent(document: unknown): ClaimedEvent {
  const id = field(document, 'id')
  const number = field(document, 'type')
  return {
    id,
    type: interactions.find((known) => known.number === number)?.type ?? unknownInteraction(number),
    objectId: field(document, 'data.id') ?? field(document, 'data.custom_id'),
    occurredAt: typeof id === 'string' && /^\d{15,20}$/.test(id) ? momentOf(id) : undefined,
  }
}

function unknownInteraction(number: unknown): string | undefined {
  return typeof number === 'number' ? `interaction.${number}` : undefined
}

/** A snowflake starts with the milliseconds since 2015. */
const snowflakeEpoch = 1_420_070_400_000n

function momentOf(id: string): Date | undefined {
  return fromUnixSeconds(Number((BigInt(id) >> 22n) + snowflakeEpoch) / 1000)
}

/** A second of it is chance, so that many events of one moment have different ids. */
function snowflake(at: Date): string {
  const start = BigInt(at.getTime() - 1024) - snowflakeEpoch
  return String((start << 22n) + BigInt(freshNumber() % 2 ** 32))
}
