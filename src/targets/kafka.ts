import { permanent } from '../errors.ts'
import { checkOptionsOf, type DeliveryOptions, demandDeliveryOptions } from './check-options.ts'
import { failure, published, sendInTurn, untilAborted } from './result.ts'
import type { MessageResult, OutgoingMessage, Target } from './target.ts'

/** A message as `send` takes it. */
export type KafkaMessage = { key: string; value: string; headers: Record<string, string> }

/** The part of a kafkajs `Producer` that is needed. */
export type KafkaProducer = {
  send(record: { topic: string; acks: number; messages: KafkaMessage[] }): Promise<unknown>
  isIdempotent?(): boolean
}

/** The options of `kafka`. */
export type KafkaOptions = DeliveryOptions & {
  /** A connected producer: `kafka.producer({ idempotent: true, maxInFlightRequests: 1 })`. It stays yours to disconnect. */
  readonly producer: KafkaProducer
  readonly topic: string
  /** What decides the partition. Default: the idempotency key, so that a copy comes to the same partition. */
  readonly key?: (message: OutgoingMessage) => string
  /** Messages in one call. Default 100. */
  readonly batchSize?: number
}

/** Answers of a broker that are about the message itself. */
const refusals = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE', 'INVALID_RECORD'])

/**
 * Sends the JSON text to a Kafka topic and waits for all replicas, with the headers `idempotency-key`, `source`, `event-id` and
 * `receipt-id`. A message may come twice, as everywhere behind an outbox: consumers dedupe by `idempotency-key`.
 */
export function kafka(options: KafkaOptions): Target {
  const { producer, topic, batchSize = 100, concurrency = 1, timeoutSeconds = 30 } = options
  const check = checkOptionsOf('kafka')
  check.demand(typeof producer?.send === 'function', 'producer is missing: give a connected producer of kafkajs.')
  check.demand(typeof topic === 'string' && topic !== '', 'topic is missing.')
  check.demandNumber('batchSize', batchSize, { atLeast: 1, atMost: 10_000, isWhole: true })
  demandDeliveryOptions(check, options)
  check.end()

  return {
    kind: 'kafka',
    batchSize,
    concurrency,
    timeoutSeconds,
    // An idempotent producer of kafkajs numbers what it sends per partition. When one partition refuses its part of a batch, it
    // takes back the numbers of all; what comes next under a used number is dropped as a copy and lost, or refused for good.
    deliver: (messages, signal) =>
      producer.isIdempotent?.() === true
        ? sendAlone(messages, options, signal)
        : sendTogether(messages, options, signal),
  }
}

function sendAlone(
  messages: readonly OutgoingMessage[],
  options: KafkaOptions,
  signal: AbortSignal,
): Promise<readonly MessageResult[]> {
  return sendInTurn(messages, signal, async (message) => {
    try {
      await send([message], options)
    } catch (error) {
      throw refusals.has(typeOf(error) ?? '') ? permanent(error) : error
    }
  })
}

/** Does not say which messages of a failed batch arrived, so then all of them are sent again. */
async function sendTogether(
  messages: readonly OutgoingMessage[],
  options: KafkaOptions,
  signal: AbortSignal,
): Promise<readonly MessageResult[]> {
  try {
    await untilAborted(() => send(messages, options), signal)
    return messages.map(() => published)
  } catch (error) {
    // Where the broker is away, a hundred attempts more would all wait for it.
    const isAway = typeOf(error) === undefined && error instanceof Error && error.name.startsWith('KafkaJS')
    if (signal.aborted || isAway) return messages.map(() => failure(error))
    return sendAlone(messages, options, signal)
  }
}

async function send(
  messages: readonly OutgoingMessage[],
  { producer, topic, key = ({ idempotencyKey }) => idempotencyKey }: KafkaOptions,
): Promise<void> {
  const records = messages.map((message) => ({
    key: key(message),
    value: message.json,
    headers: {
      'idempotency-key': message.idempotencyKey,
      source: message.cause.source,
      'event-id': message.cause.eventId,
      'receipt-id': message.cause.receiptId ?? '',
      ...(message.traceparent !== undefined && { traceparent: message.traceparent }),
    },
  }))
  await producer.send({ topic, acks: -1, messages: records })
}

/** The name of a broker's answer; undefined for any other error. */
function typeOf(error: unknown): string | undefined {
  const { type } = (error ?? {}) as { readonly type?: unknown }
  return typeof type === 'string' ? type : undefined
}
