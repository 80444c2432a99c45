import { linkedAbort } from '../abort.ts'
import { describeError, isOncehookError, permanent } from '../errors.ts'
import type { EventKey } from '../receipt/receipt.ts'
import type { HandlerRun } from '../store/store.ts'
import { derivedKey } from './derived-key.ts'
import type { Detached, DetachedResult } from './detached-handler.ts'
import type { WebhookEvent } from './handler.ts'
import type { RegisteredHandler } from './handler-registry.ts'
import { endOfHandler, handlerSpan } from './handler-span.ts'
import type { Processing } from './processing.ts'
import { keySeconds, type RunResult } from './run-handler.ts'
import { applySchema } from './webhook-event.ts'

export type DetachedRun<Tx> = {
  readonly handler: RegisteredHandler<Tx>
  readonly detached: Detached
  readonly event: WebhookEvent
  readonly key: EventKey
  readonly attempt: number
  readonly signal: AbortSignal
}

/** Runs a handler that has no transaction. Never rejects. */
export async function runDetached<Tx>(processing: Processing<Tx>, request: DetachedRun<Tx>): Promise<RunResult> {
  const { handler, event, attempt, signal } = request
  const { tracing } = processing
  const { abort, unlink } = linkedAbort(signal)
  const startedAt = performance.now()
  try {
    const run = async (): Promise<RunResult> =>
      resultOf(await call(processing, request, abort.signal), { processing, handler, attempt, startedAt })
    return await (tracing === undefined
      ? run()
      : tracing.span(handlerSpan(handler.name, event, attempt), run, endOfHandler))
  } finally {
    unlink()
  }
}

async function call<Tx>(
  { logFor }: Processing<Tx>,
  { handler, detached, event, key, attempt }: DetachedRun<Tx>,
  signal: AbortSignal,
): Promise<DetachedResult> {
  try {
    const checked = handler.schema === undefined ? event : await applySchema(event, handler.schema)
    return await detached.run(checked, {
      signal,
      attempt,
      handler: handler.name,
      idempotencyKey: (label) => derivedKey(key, ['call', label]),
      log: logFor(event, attempt),
    })
  } catch (error) {
    // The event is whole, only its key is away.
    if (isOncehookError(error, 'ONCEHOOK_ENCRYPTION_KEY_UNAVAILABLE')) {
      return { kind: 'deferred', seconds: keySeconds, reason: error.message }
    }
    return { kind: 'failed', error: error instanceof Error ? error : permanent(error) }
  }
}

type Running<Tx> = {
  readonly processing: Processing<Tx>
  readonly handler: RegisteredHandler<Tx>
  readonly attempt: number
  readonly startedAt: number
}

function resultOf<Tx>(result: DetachedResult, { processing, handler, attempt, startedAt }: Running<Tx>): RunResult {
  const { worker, hide } = processing
  const tookMilliseconds = performance.now() - startedAt
  const answerStatus = result.kind === 'deferred' ? undefined : result.status
  const runOf = (outcome: HandlerRun['outcome'], error: string | undefined): HandlerRun => {
    return { attempt, handler: handler.name, worker, outcome, error, tookMilliseconds, answerStatus }
  }
  switch (result.kind) {
    case 'done':
      return { kind: 'ran', run: runOf('succeeded', undefined), answer: undefined, ending: 'processed', notes: [] }
    case 'deferred': {
      const reason = hide(result.reason)
      return { kind: 'deferred', run: runOf('deferred', reason), seconds: result.seconds, reason }
    }
    case 'failed': {
      const { error, afterSeconds } = result
      const run = runOf('failed', describeError(error, hide))
      return { kind: 'threw', run, error, notes: [], ...(afterSeconds !== undefined && { afterSeconds }) }
    }
  }
}
