import { checkOptionsOf, type DeliveryOptions, demandDeliveryOptions } from './check-options.ts'
import { failure, published, sendEach, untilAborted } from './result.ts'
import type { MessageResult, OutgoingMessage, Target } from './target.ts'

/** What a function is told about the message it is given. */
export type HandledDelivery = {
  /** Pass it on to whatever is called, for example as a mail service's `Idempotency-Key`. The same at every attempt. */
  readonly idempotencyKey: string
  /** 1 for the first. */
  readonly attempt: number
  /** The event whose handler added the message. */
  readonly cause: OutgoingMessage['cause']
  /** The span that it is part of, where deliveries are traced. */
  readonly traceparent: string | undefined
  /** Aborted when the time is up. Hand it to `fetch` and its like. */
  readonly signal: AbortSignal
}

/** One message of a batch. */
export type HandledMessage<Message> = Omit<HandledDelivery, 'signal'> & { readonly message: Message }

/** Delivers one message. What it throws is tried again later; `throw permanent(error)` gives up at once. */
export type HandleMessage<Message> = (message: Message, delivery: HandledDelivery) => unknown

/**
 * Delivers several messages. What it throws is a failure of all of them. To say that only some failed, answer with a list in
 * their order in which failures are errors or what `Promise.allSettled` gives.
 */
export type HandleBatch<Message> = (
  messages: readonly HandledMessage<Message>[],
  delivery: { readonly signal: AbortSignal },
) => unknown

/** The options of `handler`. */
export type HandlerOptions = DeliveryOptions & {
  /** Hand over up to this many messages in one call, as a list. Default: one message per call, by itself. */
  readonly batch?: number
}

/** Delivers to a function of your own, for example one that sends an e-mail. */
export function handler<Message = unknown>(
  run: HandleMessage<Message>,
  options?: HandlerOptions & { readonly batch?: never },
): Target
export function handler<Message = unknown>(
  run: HandleBatch<Message>,
  options: HandlerOptions & { readonly batch: number },
): Target
export function handler<Message>(
  run: HandleMessage<Message> | HandleBatch<Message>,
  options: HandlerOptions = {},
): Target {
  const { batch, concurrency = 10, timeoutSeconds = 30 } = options
  const check = checkOptionsOf('handler')
  check.demand(typeof run === 'function', 'its first argument is not a function.')
  check.demandNumber('batch', batch, { atLeast: 1, atMost: 10_000, isWhole: true })
  demandDeliveryOptions(check, options)
  check.end()

  return {
    kind: 'handler',
    batchSize: batch ?? 1,
    concurrency,
    timeoutSeconds,
    deliver: (messages, signal) =>
      batch === undefined
        ? runEach(run as HandleMessage<Message>, messages, signal)
        : runBatch(run as HandleBatch<Message>, messages, signal),
  }
}

function runEach<Message>(
  run: HandleMessage<Message>,
  messages: readonly OutgoingMessage[],
  signal: AbortSignal,
): Promise<readonly MessageResult[]> {
  return sendEach(messages, signal, ({ message, idempotencyKey, attempt, cause, traceparent }) =>
    run(message as Message, { idempotencyKey, attempt, cause, traceparent, signal }),
  )
}

async function runBatch<Message>(
  run: HandleBatch<Message>,
  messages: readonly OutgoingMessage[],
  signal: AbortSignal,
): Promise<readonly MessageResult[]> {
  const handed = messages.map(({ message, idempotencyKey, attempt, cause, traceparent }) => {
    return { message: message as Message, idempotencyKey, attempt, cause, traceparent }
  })
  try {
    const answer = await untilAborted(async () => run(handed, { signal }), signal)
    const answers: readonly unknown[] = Array.isArray(answer) ? answer : []
    return messages.map((_, index) => resultOf(answers[index]))
  } catch (error) {
    return messages.map(() => failure(error))
  }
}

function resultOf(answer: unknown): MessageResult {
  if (answer instanceof Error) return failure(answer)
  const { status, reason } = (answer ?? {}) as Partial<PromiseRejectedResult>
  return status === 'rejected' ? failure(reason) : published
}
