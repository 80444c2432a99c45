import { describeError, isOncehookError } from '../errors.ts'
import type { HandlerRun, StoreTransaction } from '../store/store.ts'
import type { Answer } from '../verify/provider.ts'
import type { Logger, WebhookEvent } from './handler.ts'
import type { RegisteredHandler } from './handler-registry.ts'
import { applySchema } from './webhook-event.ts'

/** How one run of a handler ended, as far as it got: the transaction it ran in may still fail. */
export type RunResult =
  | { readonly kind: 'ran'; readonly run: HandlerRun; readonly answer: Answer | undefined }
  | { readonly kind: 'deferred'; readonly run: HandlerRun; readonly seconds: number; readonly reason: string }
  | { readonly kind: 'threw'; readonly run: HandlerRun; readonly error: unknown }

export type RunRequest<Tx> = {
  readonly handler: RegisteredHandler<Tx>
  readonly event: WebhookEvent
  readonly attempt: number
  readonly worker: string
  readonly abort: AbortController
  readonly log: Logger
}

/** Runs one handler inside a transaction. Never throws: whoever owns the transaction decides what a failure means. */
export async function runHandler<Tx>(transaction: StoreTransaction<Tx>, request: RunRequest<Tx>): Promise<RunResult> {
  const { handler, event, attempt, worker, abort, log } = request
  const { name, timeoutSeconds, schema } = handler
  const startedAt = performance.now()
  let deferral: { readonly seconds: number; readonly reason: string } | undefined
  let answer: Answer | undefined

  const runOf = (outcome: HandlerRun['outcome'], error: string | undefined): HandlerRun => {
    return { attempt, handler: name, worker, outcome, error, tookMilliseconds: performance.now() - startedAt }
  }
  try {
    await transaction.runHandler(
      async (tx) => {
        const typedEvent = schema === undefined ? event : await applySchema(event, schema)
        await handler.run(typedEvent, {
          tx,
          signal: abort.signal,
          attempt,
          log,
          defer(later) {
            deferral = {
              seconds: Number.isFinite(later.seconds) ? Math.max(0, later.seconds) : 0,
              reason: later.reason,
            }
            throw new Deferred(deferral.reason)
          },
          respond(given) {
            answer = { status: 200, ...given }
          },
        })
        // A handler that catches everything has caught the deferral too; it still counts.
        if (deferral !== undefined) throw new Deferred(deferral.reason)
      },
      { handler: name, timeoutSeconds, abort },
    )
    return { kind: 'ran', run: runOf('succeeded', undefined), answer }
  } catch (error) {
    // Misuse of the transaction outweighs a wish to come back later.
    if (deferral !== undefined && !isOncehookError(error)) {
      return { kind: 'deferred', run: runOf('deferred', deferral.reason), ...deferral }
    }
    return { kind: 'threw', run: runOf('failed', describeError(error)), error }
  }
}

/** Ends a handler's run from inside. */
class Deferred extends Error {
  constructor(reason: string) {
    super(`Deferred: ${reason}`)
    this.name = 'Deferred'
  }
}
