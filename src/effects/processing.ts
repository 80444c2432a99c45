import { linkedAbort } from '../abort.ts'
import { isOncehookError } from '../errors.ts'
import type { HandlerEvent, InboxListener } from '../events.ts'
import type { EventKey } from '../receipt/receipt.ts'
import type { HandlerRun, Store, StoreTransaction } from '../store/store.ts'
import type { FetchCurrent, IdentifiedEvent, Provider } from '../verify/provider.ts'
import type { Logger, WebhookEvent } from './handler.ts'
import type { EffectNote } from './handler-effects.ts'
import type { RegisteredHandler } from './handler-registry.ts'
import type { StoppedRun } from './next-step.ts'
import { type RunResult, runHandler } from './run-handler.ts'

/** What processing needs and what does not change from event to event. */
export type Processing<Tx> = {
  readonly store: Store<Tx>
  readonly emit: InboxListener
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
  /** One of several in the same transaction. */
  readonly isShared?: boolean
  /** Aborted from outside: the worker stops, or the lease is lost. */
  readonly signal: AbortSignal | undefined
}

/** Runs one handler in the transaction, with an abort controller of its own: the time-out of one must not abort the next. */
export async function runIn<Tx>(
  transaction: StoreTransaction<Tx>,
  processing: Processing<Tx>,
  { handler, event, key, attempt, isPreview = false, isShared = false, signal }: RunParts<Tx>,
): Promise<RunResult> {
  const { worker, targets } = processing
  const { environment, source, eventId } = key
  const { abort, unlink } = linkedAbort(signal)
  try {
    const log = processing.logFor(event, attempt)
    const fetchCurrent = processing.fetchCurrentOf(source)
    return await runHandler(transaction, {
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
      isShared,
    })
  } finally {
    unlink()
  }
}

/** What to reject with so that the transaction rolls back. A database error is kept as it is: a deadlock means "once more". */
export function rollBackOf(stopped: StoppedRun): unknown {
  return stopped.kind === 'threw' ? stopped.error : new Error(`Deferred: ${stopped.reason}`)
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
}

/** How a handler run ended. */
export type RunEnd<Kind> = {
  readonly outcome: Kind
  readonly handler: string
  readonly run?: HandlerRun | undefined
  readonly error?: string | undefined
  readonly seconds?: number
}

/** Tells the listeners how a run ended, and returns just that. */
export function tell<Kind extends HandlerEvent['outcome']>(
  emit: InboxListener,
  subject: RunSubject,
  end: RunEnd<Kind>,
): Kind {
  const { environment, source, eventId, event, receiptId, attempt } = subject
  const { outcome, handler, run, error, seconds } = end
  emit({
    kind: 'handler',
    environment,
    source,
    eventId,
    type: event.type,
    handler,
    outcome,
    attempt,
    tookMilliseconds: run?.tookMilliseconds ?? 0,
    ...(event.objectId !== undefined && { objectId: event.objectId }),
    ...(receiptId !== undefined && { receiptId }),
    ...(error !== undefined && { error }),
    ...(seconds !== undefined && { nextAttemptInSeconds: seconds }),
  })
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
