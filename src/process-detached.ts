import type { LazyAbort } from './abort.ts'
import type { WebhookEvent } from './effects/handler.ts'
import type { RegisteredHandler } from './effects/handler-registry.ts'
import type { StoppedRun } from './effects/next-step.ts'
import { type Processing, tell } from './effects/processing.ts'
import { runDetached } from './effects/run-detached.ts'
import type { RunResult } from './effects/run-handler.ts'
import type { Slots } from './effects/slots.ts'
import { isOncehookError, leaseLost } from './errors.ts'
import {
  type ClaimResult,
  completeUnrun,
  concludeStopped,
  eventOfClaim,
  giveBack,
  runClaimed,
  subjectOf,
  tellRan,
} from './process-claim.ts'
import type { Claim } from './store/store.ts'

export type DetachedProcessing = { readonly slots: Slots; readonly abort: LazyAbort }

/**
 * A claimed event some of whose handlers have no transaction. These run first outside of any, under the lease alone, and are completed
 * by a short one that checks the fence. Others run as always, and hold a place only meanwhile. Rejects only when the store fails.
 */
export async function processDetached<Tx>(
  processing: Processing<Tx>,
  claim: Claim,
  handlers: readonly RegisteredHandler<Tx>[],
  { slots, abort }: DetachedProcessing,
): Promise<ClaimResult> {
  const event = eventOfClaim(processing, claim)
  const open = handlers.filter(({ name }) => !claim.completedHandlers.includes(name))
  const stopped: { readonly result: StoppedRun; readonly policy: RegisteredHandler<Tx> }[] = []
  if (open.length === 0) return completeUnrun(processing, claim)

  for (const [index, handler] of open.entries()) {
    const completes = index === open.length - 1 && stopped.length === 0 ? 'receipt' : 'handler'
    const result = await runOne(processing, { claim, handler, event, abort, completes, slots })
    if (result.kind === 'lease_lost') {
      return tell(processing.emit, subjectOf(claim), { outcome: 'lease_lost', handler: handler.name })
    }
    if (result.kind === 'ran') tellRan(processing, claim, { ...result, completes })
    else if (result.kind === 'aborted' || abort.isAborted) {
      return giveBack(processing, claim, { abort, handler: handler.name })
    } else stopped.push({ result, policy: handler })
  }
  return stopped.length === 0 ? 'processed' : concludeStopped(processing, claim, stopped)
}

type OneRun<Tx> = {
  readonly claim: Claim
  readonly handler: RegisteredHandler<Tx>
  readonly event: WebhookEvent
  readonly abort: LazyAbort
  readonly completes: 'receipt' | 'handler'
  readonly slots: Slots
}

type OneResult = RunResult | { readonly kind: 'lease_lost' } | { readonly kind: 'aborted' }

async function runOne<Tx>(processing: Processing<Tx>, { slots, ...run }: OneRun<Tx>): Promise<OneResult> {
  const { claim, handler, event, abort } = run
  const { signal } = abort
  const { detached } = handler
  if (detached === undefined) {
    const leave = await slots.take(abort)
    if (leave === undefined) return { kind: 'aborted' }
    try {
      return await runClaimed(processing, run)
    } finally {
      leave()
    }
  }
  const { environment, source, eventId, attempt } = claim
  const key = { environment, source, eventId }
  const result = await runDetached(processing, { handler, detached, event, key, attempt, signal })
  // What arrived has arrived, also while this process stops: it is recorded if the lease is still held.
  return result.kind === 'ran' ? complete(processing, run, result) : result
}

async function complete<Tx>(
  { store }: Processing<Tx>,
  { claim: { lease }, completes }: Pick<OneRun<Tx>, 'claim' | 'completes'>,
  result: Extract<RunResult, { kind: 'ran' }>,
): Promise<OneResult> {
  try {
    await store.transaction(async (transaction) => {
      const isHeld = await (completes === 'receipt'
        ? transaction.completeReceipt(lease, result.run, result.ending)
        : transaction.completeHandler(lease, result.run, result.ending))
      if (!isHeld) throw leaseLost(lease.receiptId)
    })
    return result
  } catch (error) {
    if (isOncehookError(error, 'ONCEHOOK_LEASE_LOST')) return { kind: 'lease_lost' }
    throw error
  }
}
