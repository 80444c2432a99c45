import { permanent } from '../errors.ts'
import { checkOptionsOf, type DeliveryOptions, demandDeliveryOptions } from './check-options.ts'
import { sendEach } from './result.ts'
import type { OutgoingMessage, Target } from './target.ts'

/** The part of a JetStream client that is needed: `jetstream(connection)` of `@nats-io/jetstream`, or `connection.jetstream()` of `nats`. */
export type JetStreamPublisher = {
  publish(
    subject: string,
    payload: Uint8Array,
    options: { msgID: string; timeout: number },
  ): Promise<{ readonly duplicate: boolean }>
}

/** The part of a message's headers that is needed. */
export type NatsHeaders = { set(name: string, value: string): void }

/** The options of `nats`. */
export type NatsOptions = DeliveryOptions & {
  /** A JetStream client. Its connection stays yours to close. */
  readonly jetstream: JetStreamPublisher
  /** A subject that a stream listens to. */
  readonly subject: string | ((message: OutgoingMessage) => string)
  /** `headers` of `@nats-io/nats-core` or `nats`: makes the headers in which messages carry their trace. Without it they carry none. */
  readonly headers?: () => NatsHeaders
  /** Messages in one call. Default 100. */
  readonly batchSize?: number
}

/**
 * Publishes the JSON text to a JetStream stream and waits until it is stored. `Nats-Msg-Id` is the idempotency key, so a copy within
 * the stream's `duplicate_window` (two minutes unless set) is not stored again; beyond that, consumers dedupe by that header.
 */
export function nats(options: NatsOptions): Target {
  const { jetstream, subject, headers, batchSize = 100, concurrency = 2, timeoutSeconds = 15 } = options
  const check = checkOptionsOf('nats')
  check.demand(
    typeof jetstream?.publish === 'function',
    'jetstream is missing: give jetstream(connection) of @nats-io/jetstream.',
  )
  check.demand(
    typeof subject === 'function' || isSubject(subject),
    'subject is not one that can be published to: no spaces and no wildcards.',
  )
  check.demand(
    headers === undefined || typeof headers === 'function',
    'headers is not a function: give headers of @nats-io/nats-core.',
  )
  check.demandNumber('batchSize', batchSize, { atLeast: 1, atMost: 10_000, isWhole: true })
  demandDeliveryOptions(check, options)
  check.end()

  const publish = (message: OutgoingMessage): Promise<unknown> => {
    const chosen = typeof subject === 'function' ? subject(message) : subject
    // A server may end the connection over a malformed subject, and with it every other message.
    if (!isSubject(chosen))
      throw permanent(new Error('The subject of this message has spaces, wildcards or empty parts.'))
    return jetstream.publish(chosen, Buffer.from(message.json, 'utf8'), {
      msgID: messageId(message.idempotencyKey),
      timeout: timeoutSeconds * 1000,
      ...headersOf(message, headers),
    })
  }
  return {
    kind: 'nats',
    batchSize,
    concurrency,
    // The client's own limit ends first and says more.
    timeoutSeconds: timeoutSeconds + 1,
    deliver: (messages, signal) => sendEach(messages, signal, publish),
  }
}

function headersOf({ traceparent }: OutgoingMessage, make: (() => NatsHeaders) | undefined): object {
  if (traceparent === undefined || make === undefined) return {}
  const headers = make()
  headers.set('traceparent', traceparent)
  return { headers }
}

function isSubject(subject: unknown): boolean {
  return typeof subject === 'string' && /^[^\s.*>\p{Cc}]+(?:\.[^\s.*>\p{Cc}]+)*$/u.test(subject)
}

/** The idempotency key as a header can hold it: visible ASCII as it is, the rest percent-encoded. */
function messageId(idempotencyKey: string): string {
  return idempotencyKey.toWellFormed().replaceAll(/[^!-~]+|%/gu, encodeURIComponent)
}
