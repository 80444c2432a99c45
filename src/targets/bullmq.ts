import { checkOptionsOf, type DeliveryOptions, demandDeliveryOptions } from './check-options.ts'
import { failure, published, sendEach, untilAborted } from './result.ts'
import type { OutgoingMessage, Target } from './target.ts'

/** A job as `addBulk` takes it. */
export type BullmqJob = { name: string; data: unknown; opts?: { jobId?: string } }

/** The part of BullMQ's `Queue` that is needed. */
export type BullmqQueue = { addBulk(jobs: BullmqJob[]): Promise<unknown> }

/** The options of `bullmq`. */
export type BullmqOptions = DeliveryOptions & {
  /** A `Queue`. It stays yours to close. Its `defaultJobOptions` hold: keep completed jobs for a day or more. */
  readonly queue: BullmqQueue
  /** The name of the jobs. Default: the name of the target. */
  readonly jobName?: string | ((message: OutgoingMessage) => string)
  /** Besides the job's id, for example `{ attempts: 5 }`. */
  readonly jobOptions?: Readonly<Record<string, unknown>>
  /** Messages in one call. Default 100. */
  readonly batchSize?: number
}

/**
 * Adds each message to a BullMQ queue: the job's data is the message, its id the idempotency key. BullMQ adds no second job with
 * the same id for as long as it keeps the first, so a queue that removes completed jobs at once dedupes only what still waits.
 */
export function bullmq(options: BullmqOptions): Target {
  const { queue, jobName, jobOptions = {}, batchSize = 100, concurrency = 2, timeoutSeconds = 15 } = options
  const check = checkOptionsOf('bullmq')
  check.demand(typeof queue?.addBulk === 'function', 'queue is missing: give a Queue of BullMQ.')
  check.demandNumber('batchSize', batchSize, { atLeast: 1, atMost: 10_000, isWhole: true })
  demandDeliveryOptions(check, options)
  check.end()

  const jobOf = (message: OutgoingMessage): BullmqJob => ({
    name: typeof jobName === 'function' ? jobName(message) : (jobName ?? message.target),
    data: message.message,
    opts: { ...jobOptions, jobId: jobIdOf(message.idempotencyKey), ...traceOf(message) },
  })
  return {
    kind: 'bullmq',
    batchSize,
    concurrency,
    timeoutSeconds,
    async deliver(messages, signal) {
      try {
        await untilAborted(async () => queue.addBulk(messages.map(jobOf)), signal)
        return messages.map(() => published)
      } catch (error) {
        if (messages.length <= 1) return messages.map(() => failure(error))
        // All or nothing, so one bad job would fail its neighbours for ever. Jobs that were added after all are not added twice.
        return sendEach(messages, signal, (message) => queue.addBulk([jobOf(message)]))
      }
    },
  }
}

/** As `bullmq-otel` reads it. */
function traceOf({ traceparent }: OutgoingMessage): Readonly<Record<string, unknown>> {
  return traceparent === undefined ? {} : { telemetry: { metadata: JSON.stringify({ traceparent }) } }
}

/** BullMQ refuses ids that are whole numbers or hold a colon. */
function jobIdOf(idempotencyKey: string): string {
  return `oncehook-${encodeURIComponent(idempotencyKey.toWellFormed())}`
}
