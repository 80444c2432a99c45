import { LazyAbort } from '../abort.ts'
import { keptCorrelationId } from '../delivery/correlation.ts'
import { describeError, type Hide, isOncehookError } from '../errors.ts'
import type { HandlerEvent, InboxListener } from '../events.ts'
import type { EventKey } from '../receipt/receipt.ts'
import type { HandlerRun, RunPlace, Store, StoredBody, StoreTransaction } from '../store/store.ts'
import type { Tracing } from '../tracing.ts'
import type { FetchCurrent, IdentifiedEvent, Provider } from '../verify/provider.ts'
import type { Writable } from '../verify/writable.ts'
import type { Logger, WebhookEvent } from './handler.ts'
import type { EffectNote } from './handler-effects.ts'
import type { RegisteredHandler } from './handler-registry.ts'
import { endOfHandler, handlerSpan } from './handler-span.ts'
import type { StoppedRun } from './next-step.ts'
import { type RunResult, runHandler } from './run-handler.ts'

/** What processing needs and what does not change from event to event. */
export type Processing<Tx> = {
  readonly store: Store<Tx>
  readonly emit: InboxListener
  /** Takes the sources' secrets out of texts that others wrote. */
  readonly hide: Hide
  /** Undefined where nothing is traced. */
  readonly tracing: Tracing | undefined
  readonly logFor: (event: WebhookEvent, attempt: number) => Logger
  readonly worker: string
  /** The names that `outbox.add` may use. */
  readonly targets: ReadonlySet<string>
  readonly fetchCurrentOf: (source: string) => FetchCurrent | undefined
  /** How the document of a source's deliveries is read, where the body itself is not it. */
  readonly readDocumentOf: (source: string) => Provider['readDocument']
  /** A committed run has added messages to the outbox. */
  readonly onMessages: () => void
  /** Told of a store that could not say what became of an event. */
  readonly onOutage: (error: unknown) => void
  /** How old an event may get by being deferred. */
  readonly maximumDeferSeconds: number
}

export type RunParts<Tx> = {
  readonly handler: RegisteredHandler<Tx>
  readonly event: WebhookEvent
  readonly key: EventKey
  readonly attempt: number
  readonly isPreview?: boolean
  readonly isLast?: boolean
  /** Aborted from outside: the worker stops, or the lease is lost. */
  readonly abort?: LazyAbort
}

/** Where a handler runs whose transaction is its own. */
export function ownPlace<Tx>(transaction: StoreTransaction<Tx>): RunPlace<Tx> {
  return { run: transaction.runHandler, effects: transaction.effects }
}

/** Runs one handler in its place, with an abort controller of its own: the time-out of one must not abort the next. */
export async function runIn<Tx>(
  place: RunPlace<Tx>,
  processing: Processing<Tx>,
  { handler, event, key, attempt, isPreview = false, isLast = false, abort: outside }: RunParts<Tx>,
): Promise<RunResult> {
  const { worker, targets } = processing
  const { environment, source, eventId } = key
  const abort = outside === undefined ? new LazyAbort() : new LazyAbort(outside)
  try {
    const log = processing.logFor(event, attempt)
    const fetchCurrent = processing.fetchCurrentOf(source)
    const run = (traceparent?: string): Promise<RunResult> =>
      runHandler(place, {
        handler,
        event,
        key: { environment, source, eventId },
        attempt,
        abort,
        worker,
        log,
        targets,
        fetchCurrent,
        isPreview,
        hide: processing.hide,
        isLast,
        traceparent,
      })
    if (processing.tracing === undefined || isPreview) return await run()
    return await processing.tracing.span(handlerSpan(handler.name, event, attempt), run, endOfHandler)
  } finally {
    abort.unlink()
  }
}

/** What to reject with so that the transaction rolls back. A database error is kept as it is: a deadlock means "once more". */
export function rollBackOf(stopped: StoppedRun): unknown {
  return stopped.kind === 'threw' ? stopped.error : new Error(`Deferred: ${stopped.reason}`)
}

/** A misuse of the transaction that only showed at the commit is a failure of the handler like any other. */
export function failedAtCommit(
  result: RunResult | undefined,
  error: unknown,
): Extract<RunResult, { kind: 'threw' }> | undefined {
  const isMisuse =
    isOncehookError(error, 'ONCEHOOK_HANDLER_SWALLOWED_FAILURE') ||
    isOncehookError(error, 'ONCEHOOK_HANDLER_ENDED_TRANSACTION')
  if (result?.kind !== 'ran' || !isMisuse) return undefined
  const run: HandlerRun = { ...result.run, outcome: 'failed', error: describeError(error) }
  return { kind: 'threw', run, error, notes: result.notes }
}

/** The database chose this transaction as the victim of a deadlock or a serialization failure: the remedy is to run it again. */
export async function repeatOnConflict<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let round = 1; ; round += 1) {
    try {
      return await work()
    } catch (error) {
      if (round === 3 || !isOncehookError(error, 'ONCEHOOK_CONFLICT')) throw error
    }
  }
}

/** Which event a handler run was about. */
export type RunSubject = EventKey & {
  readonly event: IdentifiedEvent
  readonly receiptId?: string | undefined
  readonly attempt: number
  readonly body: Pick<StoredBody, 'headers'> | undefined
  readonly bodyId: string
}

/** How a handler run ended. */
export type RunEnd<Kind> = {
  readonly outcome: Kind
  readonly handler: string
  readonly run?: HandlerRun | undefined
  readonly error?: string | undefined
  readonly seconds?: number
  readonly endsAs?: HandlerEvent['endsAs'] | undefined
  readonly lagMilliseconds?: number
}

/** Tells the listeners how a run ended, and returns just that. */
export function tell<Kind extends HandlerEvent['outcome']>(
  emit: InboxListener,
  subject: RunSubject,
  end: RunEnd<Kind>,
): Kind {
  const { environment, source, eventId, event, receiptId, attempt } = subject
  const { outcome, handler, run, error, seconds, endsAs, lagMilliseconds } = end
  const told: Writable<HandlerEvent> = {
    kind: 'handler',
    environment,
    source,
    eventId,
    type: event.type,
    handler,
    outcome,
    correlationId: keptCorrelationId(subject.body?.headers, subject.bodyId),
    attempt,
    tookMilliseconds: run?.tookMilliseconds ?? 0,
  }
  if (event.objectId !== undefined) told.objectId = event.objectId
  if (receiptId !== undefined) told.receiptId = receiptId
  if (run?.answerStatus !== undefined) told.answerStatus = run.answerStatus
  if (error !== undefined) told.error = error
  if (seconds !== undefined) told.nextAttemptInSeconds = seconds
  if (endsAs !== undefined) told.endsAs = endsAs
  if (lagMilliseconds !== undefined) told.lagMilliseconds = lagMilliseconds
  emit(told)
  return outcome
}

/** Tells of effects that were passed over, and that there is something for the relay. Only after the commit: before it nothing is true. */
export function tellEffects<Tx>(
  { emit, onMessages }: Processing<Tx>,
  subject: RunSubject,
  { handler, notes }: { readonly handler: string; readonly notes: readonly EffectNote[] },
): void {
  const { environment, source, eventId, event } = subject
  for (const note of notes) {
    if (note.outcome !== 'skipped' && note.outcome !== 'stale' && note.outcome !== 'same_change') continue
    emit({
      kind: 'effect',
      environment,
      source,
      eventId,
      type: event.type,
      handler,
      outcome: note.outcome,
      key: note.key,
    })
  }
  if (notes.some(({ outcome }) => outcome === 'added')) onMessages()
}
