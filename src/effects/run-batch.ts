import type { LazyAbort } from '../abort.ts'
import type { EventKey } from '../receipt/receipt.ts'
import type { CompletedReceipt, HandlerRun, Lease, StoreTransaction } from '../store/store.ts'
import type { BatchHandler, HandlerEffects, Logger, WebhookEvent } from './handler.ts'
import { createHandlerEffects, type EffectNote, type EffectsOfRun } from './handler-effects.ts'
import type { RegisteredHandler } from './handler-registry.ts'
import { traceparentOf } from './handler-span.ts'
import { applySchema } from './webhook-event.ts'

/** One event of a batch. */
export type BatchMember = {
  readonly event: WebhookEvent
  readonly key: EventKey
  readonly attempt: number
  readonly lease: Lease
}

export type BatchRequest<Tx> = {
  readonly handler: RegisteredHandler<Tx>
  readonly run: BatchHandler<Tx>
  readonly members: readonly BatchMember[]
  readonly worker: string
  readonly abort: LazyAbort
  readonly log: Logger
  readonly targets: ReadonlySet<string>
  /** Messages to the outbox then belong to the trace of their event. */
  readonly isTraced: boolean
}

export type RanMember = CompletedReceipt & { readonly notes: readonly EffectNote[] }

/** Runs a batch handler once for all its events, and answers for each in their order. Throws if it fails: then each event has to be tried alone. */
export async function runBatch<Tx>(
  transaction: StoreTransaction<Tx>,
  request: BatchRequest<Tx>,
): Promise<readonly RanMember[]> {
  const { handler, run, members, worker, abort, log, targets } = request
  const startedAt = performance.now()
  const effects = new Map<WebhookEvent, EffectsOfRun>()
  const effectsOf = (event: WebhookEvent): HandlerEffects => {
    const member = members.find((one) => one.event.receiptId === event.receiptId)
    if (member === undefined) throw new TypeError('effectsOf() was given an event that is not of this batch.')
    const known = effects.get(member.event)
    if (known !== undefined) return known.functions
    const traceparent = request.isTraced ? traceparentOf(member.event) : undefined
    const scope = { ...member.key, receiptId: event.receiptId, handler: handler.name, targets, traceparent }
    const made = createHandlerEffects(transaction.effects, scope)
    effects.set(member.event, made)
    return made.functions
  }

  await transaction.runHandler(
    async (tx) => {
      const { schema } = handler
      const events = members.map(({ event }) => event)
      const typed = schema === undefined ? events : await Promise.all(events.map((event) => applySchema(event, schema)))
      await run(typed, {
        tx,
        get signal() {
          return abort.signal
        },
        log,
        isPreview: false,
        effectsOf,
      })
      for (const made of effects.values()) made.finish()
    },
    { handler: handler.name, timeoutSeconds: handler.timeoutSeconds, abort, isLast: true },
  )

  const tookMilliseconds = performance.now() - startedAt
  return members.map((member) => {
    const made = effects.get(member.event)
    const done: HandlerRun = {
      attempt: member.attempt,
      handler: handler.name,
      worker,
      outcome: 'succeeded',
      error: undefined,
      tookMilliseconds,
    }
    return { lease: member.lease, run: done, ending: made?.ending() ?? 'processed', notes: made?.notes ?? [] }
  })
}
