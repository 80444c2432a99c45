import type { LazyAbort } from './abort.ts'
import type { WebhookEvent } from './effects/handler.ts'
import type { RegisteredHandler } from './effects/handler-registry.ts'
import { nextStep, type StoppedRun } from './effects/next-step.ts'
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
import { isOncehookError, leaseLost } from './errors.ts'
import type { Claim, HandlerRun } from './store/store.ts'

type Ran = Extract<RunResult, { kind: 'ran' }>

/** What became of a claimed event. */
export type ClaimResult = 'processed' | 'retrying' | 'deferred' | 'dead' | 'lease_lost' | 'handed_back'

/**
 * A claimed event: each handler in a transaction of its own, and the last one completes the receipt.
 * `handlers` are all that match; those that completed in an earlier attempt are passed over.
 * Aborting rolls back what runs and gives the event back. Rejects only when the store fails.
 */
export async function processClaim<Tx>(
  processing: Processing<Tx>,
  claim: Claim,
  handlers: readonly RegisteredHandler<Tx>[],
  abort: LazyAbort,
): Promise<ClaimResult> {
  const { emit } = processing
  const subject = subjectOf(claim)
  const event = eventOfClaim(processing, claim)
  const open = handlers.filter(({ name }) => !claim.completedHandlers.includes(name))
  const stopped: { readonly result: StoppedRun; readonly policy: RegisteredHandler<Tx> }[] = []
  if (open.length === 0) return completeUnrun(processing, claim)

  for (const [index, handler] of open.entries()) {
    const completes = index === open.length - 1 && stopped.length === 0 ? 'receipt' : 'handler'
    const result = await runClaimed(processing, { claim, handler, event, abort, completes })
    if (result.kind === 'lease_lost') return tell(emit, subject, { outcome: 'lease_lost', handler: handler.name })
    if (result.kind === 'ran') tellRan(processing, claim, { ...result, completes })
    else if (abort.isAborted) return giveBack(processing, claim, { abort, handler: handler.name })
    else stopped.push({ result, policy: handler })
  }
  return stopped.length === 0 ? 'processed' : concludeStopped(processing, claim, stopped)
}

/** What becomes of an event whose handlers did not all succeed. */
export async function concludeStopped<Tx>(
  { store, emit, maximumDeferSeconds }: Processing<Tx>,
  claim: Claim,
  stopped: readonly { readonly result: StoppedRun; readonly policy: RegisteredHandler<Tx> }[],
): Promise<ClaimResult> {
  const next = nextStep(stopped, { ...claim, maximumDeferSeconds })
  const runs = stopped.map(({ result }) => result.run)
  const isHeld =
    next.kind === 'dead'
      ? await store.deadLetter(claim.lease, { error: next.error, runs })
      : await store.retryLater(claim.lease, { ...next, runs })
  const outcome = isHeld ? next.kind : 'lease_lost'
  for (const [index, { policy, result }] of stopped.entries()) {
    const isEnd = outcome === 'dead' && index === 0
    tell(emit, subjectOf(claim), {
      ...next,
      outcome: outcome === 'retrying' ? whenRetried[result.kind] : outcome,
      handler: policy.name,
      run: result.run,
      error: stopped.length === 1 ? next.error : (result.run.error ?? next.error),
      ...(isEnd && { endsAs: 'failed' }),
    })
  }
  return outcome
}

/** One handler may have asked for a later time while another failed. */
const whenRetried = { threw: 'retrying', deferred: 'deferred' } as const

/** Tells of a run that was committed. */
export function tellRan<Tx>(
  processing: Processing<Tx>,
  claim: Claim,
  { run, notes, completes }: Pick<Ran, 'run' | 'notes'> & { readonly completes: 'receipt' | 'handler' },
): void {
  const subject = subjectOf(claim)
  tell(processing.emit, subject, {
    outcome: 'succeeded',
    handler: run.handler,
    run,
    lagMilliseconds: claim.ageSeconds * 1000 + performance.now() - claim.claimedAt,
    ...(completes === 'receipt' && { endsAs: 'processed' }),
  })
  tellEffects(processing, subject, { handler: run.handler, notes })
}

/** Buries an event without running it. */
export async function buryUnrun<Tx>(
  { store, emit }: Processing<Tx>,
  claim: Claim,
  error: string,
): Promise<ClaimResult> {
  const isHeld = await store.deadLetter(claim.lease, { error, runs: [] })
  const end = isHeld ? ({ outcome: 'dead', endsAs: 'failed' } as const) : ({ outcome: 'lease_lost' } as const)
  return tell(emit, subjectOf(claim), { ...end, handler: '(none)', error })
}

/** Tells of the run before this one, which nobody else can tell of: its process is gone or asleep. */
export function tellAbandoned<Tx>({ emit }: Processing<Tx>, claim: Claim): void {
  const error = `Worker ${claim.abandonedBy} did not finish before its lease ran out.`
  tell(emit, { ...subjectOf(claim), attempt: claim.attempt - 1 }, { outcome: 'abandoned', handler: '*', error })
}

/** The handler that was still to run is no longer registered, so nothing is left to do. */
export async function completeUnrun<Tx>(
  { store, worker }: Processing<Tx>,
  { attempt, lease }: Claim,
): Promise<ClaimResult> {
  const run: HandlerRun = {
    attempt,
    handler: '(none left)',
    worker,
    outcome: 'succeeded',
    error: undefined,
    tookMilliseconds: 0,
  }
  const isHeld = await store.transaction((transaction) => transaction.completeReceipt(lease, run))
  return isHeld ? 'processed' : 'lease_lost'
}

export type ClaimedRun<Tx> = {
  readonly claim: Claim
  readonly handler: RegisteredHandler<Tx>
  readonly event: WebhookEvent
  readonly abort: LazyAbort
  readonly completes: 'receipt' | 'handler'
}

/** One handler of a claimed event. The fence is checked in the handler's own transaction, so a lost lease commits nothing. */
export async function runClaimed<Tx>(
  processing: Processing<Tx>,
  { claim, handler, event, abort, completes }: ClaimedRun<Tx>,
): Promise<RunResult | { readonly kind: 'lease_lost' }> {
  const { attempt, lease } = claim
  let result: RunResult | undefined
  try {
    return await repeatOnConflict(() =>
      processing.store.transaction(
        async (transaction) => {
          const isLast = completes === 'receipt'
          result = await runIn(ownPlace(transaction), processing, {
            handler,
            event,
            key: claim,
            attempt,
            abort,
            isLast,
          })
          if (result.kind !== 'ran') throw rollBackOf(result)
          const { run, ending } = result
          if (isLast) await transaction.finishReceipt(lease, run, ending)
          else if (!(await transaction.completeHandler(lease, run, ending))) throw leaseLost(lease.receiptId)
          return result
        },
        { handlerSeconds: handler.timeoutSeconds },
      ),
    )
  } catch (error) {
    if (isOncehookError(error, 'ONCEHOOK_LEASE_LOST')) return { kind: 'lease_lost' }
    if (result !== undefined && result.kind !== 'ran') return result
    const failed = failedAtCommit(result, error)
    if (failed !== undefined) return failed
    // The handler was fine but its transaction was not: whether it committed, the queue row will say at the next claim.
    throw error
  }
}

/** The worker is stopping, or the lease is lost: what was not committed is for others to run. */
export async function giveBack<Tx>(
  { store, emit }: Processing<Tx>,
  claim: Claim,
  { abort, handler }: { readonly abort: LazyAbort; readonly handler: string },
): Promise<ClaimResult> {
  if (isOncehookError(abort.reason, 'ONCEHOOK_LEASE_LOST')) {
    return tell(emit, subjectOf(claim), { outcome: 'lease_lost', handler })
  }
  await store.handBack([claim.lease])
  return 'handed_back'
}

export function subjectOf(claim: Claim): RunSubject {
  const { environment, source, eventId, event, attempt, body, bodyId, lease } = claim
  return { environment, source, eventId, event, attempt, body, bodyId, receiptId: lease.receiptId }
}

/** The event that the handlers of a claim get. */
export function eventOfClaim<Tx>(processing: Processing<Tx>, claim: Claim): WebhookEvent {
  const { source, event, lease, receivedAt, body, bodyId } = claim
  const readDocument = processing.readDocumentOf(source)
  return createWebhookEvent({ source, event, receiptId: lease.receiptId, receivedAt, body, bodyId, readDocument })
}
