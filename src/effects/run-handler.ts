import { createHash } from 'node:crypto'
import type { LazyAbort } from '../abort.ts'
import { describeError, type Hide, isOncehookError } from '../errors.ts'
import type { Ending, EventKey } from '../receipt/receipt.ts'
import type { HandlerRun, RunPlace } from '../store/store.ts'
import type { Answer, FetchCurrent, SameChange } from '../verify/provider.ts'
import type { Logger, WebhookEvent } from './handler.ts'
import { createHandlerContext, Deferred, type Said } from './handler-context.ts'
import { createHandlerEffects, type EffectNote, type EffectsOfRun } from './handler-effects.ts'
import type { RegisteredHandler } from './handler-registry.ts'
import { applySchema, concealRedacted } from './webhook-event.ts'

/** How one run of a handler ended, as far as it got: the transaction it ran in may still fail. */
export type RunResult =
  | {
      readonly kind: 'ran'
      readonly run: HandlerRun
      readonly answer: Answer | undefined
      readonly ending: Ending
      readonly notes: readonly EffectNote[]
    }
  | { readonly kind: 'deferred'; readonly run: HandlerRun; readonly seconds: number; readonly reason: string }
  | {
      readonly kind: 'threw'
      readonly run: HandlerRun
      readonly error: unknown
      readonly notes: readonly EffectNote[]
      /** However short the delay would be, not before that. */
      readonly afterSeconds?: number
    }

export type RunRequest<Tx> = {
  readonly handler: RegisteredHandler<Tx>
  readonly event: WebhookEvent
  readonly key: EventKey
  readonly attempt: number
  readonly worker: string
  readonly abort: LazyAbort
  readonly log: Logger
  readonly targets: ReadonlySet<string>
  readonly fetchCurrent: FetchCurrent | undefined
  readonly isPreview: boolean
  /** Nothing but the completion follows it in its transaction. */
  readonly isLast: boolean
  /** Takes our secrets out of what the handler says went wrong. */
  readonly hide: Hide
  /** What messages to the outbox are sent with, where runs are traced. */
  readonly traceparent: string | undefined
}

/** Runs one handler inside a transaction. Never throws: whoever owns the transaction decides what a failure means. */
export async function runHandler<Tx>(place: RunPlace<Tx>, request: RunRequest<Tx>): Promise<RunResult> {
  const { handler, event, key, attempt, worker, abort, targets, traceparent } = request
  const { name, timeoutSeconds, schema } = handler
  const startedAt = performance.now()
  const said: Said = { deferral: undefined, answer: undefined }
  const { environment, source, eventId } = key
  const { receiptId } = event
  const scope = { environment, source, eventId, receiptId, handler: name, targets, traceparent }
  let effects: EffectsOfRun | undefined
  let isOver = false
  const effectsOf = (): EffectsOfRun => {
    if (effects !== undefined) return effects
    effects = createHandlerEffects(place.effects, scope)
    // Whoever asks for the first one when the handler has returned is refused it like any other.
    if (isOver) effects.finish()
    return effects
  }

  const runOf = (outcome: HandlerRun['outcome'], error: string | undefined): HandlerRun => {
    return { attempt, handler: name, worker, outcome, error, tookMilliseconds: performance.now() - startedAt }
  }
  try {
    const change = changeOf(handler.sameChange, event)
    if (change !== undefined && !(await place.effects().claimChange({ ...scope, key: change }))) {
      const notes = [{ kind: 'change', key: change, outcome: 'same_change' }] as const
      return { kind: 'ran', run: runOf('succeeded', undefined), answer: undefined, ending: 'same_change', notes }
    }
    await place.run(
      async (tx) => {
        const typedEvent = schema === undefined ? event : await applySchema(event, schema)
        const { log, fetchCurrent, isPreview } = request
        const context = createHandlerContext({
          tx,
          event,
          attempt,
          abort,
          log,
          fetchCurrent,
          isPreview,
          effects: () => effectsOf().functions,
          transaction: place.effects,
          said,
        })
        await handler.run(typedEvent, context)
        isOver = true
        effects?.finish()
        // A handler that catches everything has caught the deferral too; it still counts.
        if (said.deferral !== undefined) throw new Deferred(said.deferral.reason)
      },
      { handler: name, timeoutSeconds, abort, isLast: request.isLast },
    )
    const { notes, ending } = effects ?? noEffects
    return { kind: 'ran', run: runOf('succeeded', undefined), answer: said.answer, ending: ending(), notes }
  } catch (error) {
    const hide: Hide = (text) => concealRedacted(event, request.hide(text))
    // Misuse of the transaction outweighs a wish to come back later.
    if (said.deferral !== undefined && !isOncehookError(error)) {
      const reason = hide(said.deferral.reason)
      return { kind: 'deferred', run: runOf('deferred', reason), ...said.deferral, reason }
    }
    // The event is whole, only its key is away: it waits for that one, and nothing is counted against it.
    if (isOncehookError(error, 'ONCEHOOK_ENCRYPTION_KEY_UNAVAILABLE')) {
      return { kind: 'deferred', run: runOf('deferred', error.message), seconds: keySeconds, reason: error.message }
    }
    return {
      kind: 'threw',
      run: runOf('failed', describeError(error, hide)),
      error,
      notes: (effects ?? noEffects).notes,
    }
  }
}

const noEffects: Pick<EffectsOfRun, 'notes' | 'ending'> = { notes: [], ending: () => 'processed' }

/** How long an event waits for the key that its body is encrypted with. */
export const keySeconds = 60

function changeOf(sameChange: SameChange | undefined, event: WebhookEvent): string | undefined {
  if (sameChange === undefined) return undefined
  const named = sameChange === 'object' ? objectAndType(event) : sameChange(event)
  // Whatever length a user's function gives, the key fits its index.
  return named === undefined || named.length <= 500
    ? named
    : `sha256:${createHash('sha256').update(named).digest('hex')}`
}

function objectAndType({ objectId, type }: WebhookEvent): string | undefined {
  return objectId === undefined ? undefined : `${objectId} ${type}`
}
