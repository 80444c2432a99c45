import type { RegisteredHandler } from './effects/handler-registry.ts'
import type { RetryPolicy, StoppedRun } from './effects/next-step.ts'
import {
  failedAtCommit,
  ownPlace,
  type Processing,
  type RunSubject,
  repeatOnConflict,
  rollBackOf,
  runIn,
  tell,
  tellEffects,
} from './effects/processing.ts'
import type { RunResult } from './effects/run-handler.ts'
import { createWebhookEvent } from './effects/webhook-event.ts'
import { describeError } from './errors.ts'
import type { Ending, NewReceipt, Recorded } from './receipt/receipt.ts'
import type { HandlerRun, StoreTransaction } from './store/store.ts'
import type { Answer } from './verify/provider.ts'

type Ran = Extract<RunResult, { kind: 'ran' }>

/** What became of an event whose handlers ran before the answer. */
export type InlineResult =
  | {
      readonly kind: 'processed'
      readonly receiptId: string
      readonly repeatsEventId: string | undefined
      readonly answer: Answer | undefined
      readonly ran: readonly Ran[]
    }
  | Extract<Recorded, { kind: 'duplicate' }>
  /** Another transaction is running this very event, or the same signed body under another id. */
  | { readonly kind: 'busy' }
  /** Rolled back: nothing of it is stored but the attempt. */
  | { readonly kind: 'stopped'; readonly stopped: StoppedRun; readonly policy: RetryPolicy }

export type InlineHandlers<Tx> = {
  readonly inline: readonly RegisteredHandler<Tx>[]
  /** `queue`: other handlers of the event run there. */
  readonly afterwards: 'processed' | 'queue'
}

/**
 * Receipt and handlers in one transaction: all of it is committed, or nothing.
 * Rejects only when the store fails, or when it cannot be known whether it committed.
 */
export async function processInline<Tx>(
  processing: Processing<Tx>,
  receipt: NewReceipt,
  handlers: InlineHandlers<Tx>,
): Promise<InlineResult> {
  const { store, emit } = processing
  const { environment, source, eventId, event: identified, body } = receipt
  const subjectOf = (receiptId?: string): RunSubject => {
    return { environment, source, eventId, event: identified, attempt: 1, body, bodyId: body.id, receiptId }
  }
  const [firstHandler] = handlers.inline
  const opening = firstHandler === undefined ? {} : { handlerSeconds: firstHandler.timeoutSeconds }
  let last: { readonly ran: Ran; readonly handler: RegisteredHandler<Tx> } | undefined
  let failure: { readonly stopped: StoppedRun; readonly policy: RegisteredHandler<Tx> } | undefined

  try {
    const result = await repeatOnConflict(() => store.transaction(recordAndRun, opening))
    if (result.kind !== 'processed') return result
    for (const [index, { run, notes }] of result.ran.entries()) {
      const isLast = handlers.afterwards === 'processed' && index === result.ran.length - 1
      const endsAs = isLast ? 'processed' : undefined
      tell(emit, subjectOf(result.receiptId), { outcome: 'succeeded', handler: run.handler, run, endsAs })
      tellEffects(processing, subjectOf(), { handler: run.handler, notes })
    }
    return result
  } catch (error) {
    const failed = failedAtCommit(last?.ran, error)
    if (failed !== undefined && last !== undefined) failure = { stopped: failed, policy: last.handler }
    if (failure === undefined) throw error
    const { run } = failure.stopped
    tell(emit, subjectOf(), { outcome: 'rolled_back', handler: run.handler, run, error: run.error })
    await keepFailedRun(processing, receipt, run)
    return { kind: 'stopped', ...failure }
  }

  async function recordAndRun(transaction: StoreTransaction<Tx>): Promise<InlineResult> {
    failure = undefined
    last = undefined
    // Never waits: a copy of a running event must not hold a connection.
    const recorded = await transaction.recordReceipt(receipt)
    if (recorded.kind !== 'first') return recorded

    const { receiptId, repeatsEventId } = recorded
    const event = createWebhookEvent({
      source,
      event: identified,
      receiptId,
      receivedAt: new Date(),
      body,
      bodyId: body.id,
      readDocument: processing.readDocumentOf(source),
    })
    const runs: HandlerRun[] = []
    const ran: Ran[] = []
    let answer: Answer | undefined
    for (const [index, handler] of handlers.inline.entries()) {
      const result = await runIn(ownPlace(transaction), processing, {
        handler,
        event,
        key: receipt,
        attempt: 1,
        isLast: index === handlers.inline.length - 1,
      })
      if (result.kind !== 'ran') {
        failure = { stopped: result, policy: handler }
        throw rollBackOf(result)
      }
      runs.push(result.run)
      ran.push(result)
      last = { ran: result, handler }
      answer = result.answer ?? answer
    }
    const next = handlers.afterwards === 'queue' ? 'queue' : endingOf(ran)
    const endings = ran.map(({ ending }) => ending)
    await transaction.finishInline({ receiptId, key: receipt, runs, next, endings })
    return { kind: 'processed', receiptId, repeatsEventId, answer, ran }
  }
}

/** As for queued events: stale if one handler's was, the same change if it was that for all. */
function endingOf(ran: readonly Ran[]): Ending {
  if (ran.some(({ ending }) => ending === 'stale')) return 'stale'
  return ran.every(({ ending }) => ending === 'same_change') ? 'same_change' : 'processed'
}

/** The attempt is kept although everything else of it was rolled back. */
async function keepFailedRun<Tx>({ store, emit }: Processing<Tx>, receipt: NewReceipt, run: HandlerRun): Promise<void> {
  try {
    await store.noteRun(receipt, run)
  } catch (error) {
    const message = `The failed attempt at ${receipt.source} event ${receipt.eventId} could not be recorded.`
    emit({ kind: 'notice', level: 'warning', message, error: describeError(error) })
  }
}
