import { linkedAbort, rejectedOnAbort } from './abort.ts'
import type { Clock } from './clock.ts'
import { describeError, type Hide, OncehookError } from './errors.ts'
import type { InboxListener, MessageEvent } from './events.ts'
import { createPump, type Pump } from './pump.ts'
import type { Backoff } from './receipt/backoff.ts'
import { createLeaseKeeper } from './receipt/lease-keeper.ts'
import { traceSending } from './relay-span.ts'
import type { ClaimedMessage, MessageFailure, MessageLease, OutboxStore } from './store/outbox-store.ts'
import type { MessageResult, OutgoingMessage, Target } from './targets/target.ts'
import type { Tracing } from './tracing.ts'

/** Sends what is in the outbox. Each target has a pump of its own: one that hangs or is down delays only its own messages. */
export type Relay = {
  readonly pumps: readonly Pump[]
  /** Works off what is due now, and returns. */
  readonly drain: (untilMilliseconds: number) => Promise<RelayReport>
  readonly close: () => Promise<void>
}

export type RelayReport = { readonly published: number; readonly unpublished: number }

export type RelayParts = {
  readonly outbox: OutboxStore
  readonly targets: ReadonlyMap<string, Target>
  readonly environment: string
  readonly worker: string
  readonly clock: Clock
  readonly emit: InboxListener
  readonly backoff: Backoff
  readonly maxAttempts: number
  readonly leaseSeconds: number
  readonly tracing: Tracing | undefined
  /** Takes the sources' secrets out of what targets say went wrong. */
  readonly hide: Hide
}

export function createRelay(parts: RelayParts): Relay {
  const { outbox, targets, environment, worker, clock, emit, backoff, maxAttempts, leaseSeconds, tracing, hide } = parts
  const leases = createLeaseKeeper<MessageLease>({
    renew: outbox.renewLeases,
    idOf: ({ messageId }) => messageId,
    leaseSeconds,
    clock,
    onError: tellOutage,
  })

  return {
    pumps: [...targets].map(([name, target]) =>
      createPump<readonly ClaimedMessage[]>({
        capacity: () => target.concurrency,
        clock,
        claim: (room) => claimBatches(name, target, room),
        millisecondsUntilDue: () => outbox.millisecondsUntilDue({ environment, target: name }),
        async run(batch, abort) {
          const published = await send(target, batch, abort.signal)
          // Some have a new due time, or the next of their order may go now.
          return published < batch.length || batch.some(({ isOrdered }) => isOrdered) ? 'again' : 'done'
        },
        onOutage: tellOutage,
      }),
    ),
    async drain(untilMilliseconds) {
      const endsAt = performance.now() + untilMilliseconds
      const reports = await Promise.all([...targets].map(([name, target]) => drainTarget(name, target, endsAt)))
      const sum = (read: (report: RelayReport) => number): number =>
        reports.reduce((total, report) => total + read(report), 0)
      return { published: sum(({ published }) => published), unpublished: sum(({ unpublished }) => unpublished) }
    },
    async close() {
      for (const target of targets.values()) await target.close?.()
    },
  }

  async function claimBatches(
    name: string,
    target: Target,
    room: number,
  ): Promise<readonly (readonly ClaimedMessage[])[]> {
    const limit = room * target.batchSize
    const claimed = await outbox.claim({ environment, target: name, worker, limit, leaseSeconds })
    const batches: ClaimedMessage[][] = []
    for (let start = 0; start < claimed.length; start += target.batchSize)
      batches.push(claimed.slice(start, start + target.batchSize))
    return batches
  }

  async function drainTarget(name: string, target: Target, endsAt: number): Promise<RelayReport> {
    let published = 0
    let unpublished = 0
    const lane = async (): Promise<void> => {
      while (performance.now() < endsAt) {
        const [batch] = await claimBatches(name, target, 1)
        if (batch === undefined) return
        const sent = await send(target, batch, new AbortController().signal)
        published += sent
        unpublished += batch.length - sent
      }
    }
    await Promise.all(Array.from({ length: target.concurrency }, lane))
    return { published, unpublished }
  }

  /** Never rejects; answers with how many were published. What is sent and not marked is sent again, with the same key. */
  async function send(target: Target, batch: readonly ClaimedMessage[], signal: AbortSignal): Promise<number> {
    const letGo = batch.map(({ lease }) => leases.keep(lease, () => {}))
    try {
      if (signal.aborted) return await giveBack(batch)
      const messages = batch.map(({ message }) => message)
      const results = await (tracing === undefined
        ? deliver(target, messages, signal)
        : traceSending(tracing, messages, (traced) => deliver(target, traced, signal)))
      return signal.aborted && results === undefined ? await giveBack(batch) : await settle(batch, results ?? [])
    } catch (error) {
      tellOutage(error)
      return 0
    } finally {
      for (const release of letGo) release()
    }
  }

  async function deliver(
    target: Target,
    messages: readonly OutgoingMessage[],
    signal: AbortSignal,
  ): Promise<readonly MessageResult[] | undefined> {
    const results = await deliverInTime(target, messages, signal)
    return results?.map((result) => (result.kind === 'failed' ? { ...result, error: hide(result.error) } : result))
  }

  async function giveBack(batch: readonly ClaimedMessage[]): Promise<number> {
    await outbox.handBack(batch.map(({ lease }) => lease))
    return 0
  }

  async function settle(batch: readonly ClaimedMessage[], results: readonly MessageResult[]): Promise<number> {
    const published: ClaimedMessage[] = []
    const later: MessageFailure[] = []
    const dead: MessageFailure[] = []
    const told: (() => void)[] = []
    for (const [index, claimed] of batch.entries()) {
      const result = results[index] ?? unanswered
      if (result.kind === 'published') {
        published.push(claimed)
        told.push(() => tell(claimed, { outcome: 'published' }))
        continue
      }
      const { lease, message } = claimed
      const { error } = result
      if (result.retry === 'permanent' || message.attempt >= maxAttempts) {
        dead.push({ lease, error, seconds: 0 })
        told.push(() => tell(claimed, { outcome: 'dead', error }))
        continue
      }
      const seconds = Math.max(backoff(message.attempt), result.afterSeconds ?? 0)
      later.push({ lease, error, seconds })
      told.push(() => tell(claimed, { outcome: 'retrying', error, nextAttemptInSeconds: seconds }))
    }
    await outbox.publish(published.map(({ lease }) => lease))
    await outbox.retryLater(later)
    await outbox.deadLetter(dead)
    // Only now is it so.
    for (const tellOne of told) tellOne()
    return published.length
  }

  function tell(
    { message }: ClaimedMessage,
    end: Pick<MessageEvent, 'outcome' | 'error' | 'nextAttemptInSeconds'>,
  ): void {
    const { target, id, idempotencyKey, cause, attempt } = message
    emit({ kind: 'message', target, messageId: id, idempotencyKey, ...cause, attempt, ...end })
  }

  function tellOutage(error: unknown): void {
    const message = 'The relay could not reach the store; it tries again.'
    emit({ kind: 'notice', level: 'error', message, error: describeError(error) })
  }
}

const unanswered: MessageResult = {
  kind: 'failed',
  error: 'The target did not say what became of the message.',
  retry: 'later',
}

/** The answers of a target; if it throws or takes too long, a failure for each. Undefined if the relay is being stopped. */
async function deliverInTime(
  target: Target,
  messages: readonly OutgoingMessage[],
  signal: AbortSignal,
): Promise<readonly MessageResult[] | undefined> {
  const { abort, unlink } = linkedAbort(signal)
  const timer = setTimeout(() => abort.abort(tooSlow(target)), target.timeoutSeconds * 1000)
  try {
    return await Promise.race([target.deliver(messages, abort.signal), rejectedOnAbort(abort.signal)])
  } catch (error) {
    if (signal.aborted) return undefined
    return messages.map(() => ({ kind: 'failed', error: describeError(error), retry: 'later' }))
  } finally {
    clearTimeout(timer)
    unlink()
  }
}

function tooSlow({ kind, timeoutSeconds }: Target): OncehookError {
  return new OncehookError(
    'ONCEHOOK_HANDLER_TIMED_OUT',
    `The ${kind} target did not answer within ${timeoutSeconds} s.`,
  )
}
