import { linkedAbort } from './abort.ts'
import type { BatchHandler } from './effects/handler.ts'
import type { EffectNote } from './effects/handler-effects.ts'
import type { RegisteredHandler } from './effects/handler-registry.ts'
import { type Processing, runIn, tell, tellEffects } from './effects/processing.ts'
import { type BatchMember, runBatch } from './effects/run-batch.ts'
import type { RunResult } from './effects/run-handler.ts'
import { createWebhookEvent } from './effects/webhook-event.ts'
import { leaseLost } from './errors.ts'
import { type ClaimResult, concludeStopped, giveBack, processClaim, subjectOf } from './process-claim.ts'
import type { Claim, HandlerRun, StoreTransaction } from './store/store.ts'

/** A claimed event that is processed together with others of its handler. */
export type GroupMember<Tx> = {
  readonly claim: Claim
  readonly handler: RegisteredHandler<Tx>
  /** Aborted when its lease is lost or the worker stops. */
  readonly signal: AbortSignal
}

/** The handler that may process this event together with others; undefined if it has to be processed alone. */
export function groupHandler<Tx>(
  claim: Claim,
  handlers: readonly RegisteredHandler<Tx>[],
): RegisteredHandler<Tx> | undefined {
  const [only] = handlers
  if (only === undefined || handlers.length > 1 || claim.completedHandlers.length > 0) return undefined
  // What failed before may fail again, and would make its neighbours wait.
  if (claim.attempt > 1) return undefined
  const isBatch = only.batch !== undefined && only.sameChange === undefined
  return isBatch || only.commit === 'shared' ? only : undefined
}

/**
 * Events in one transaction and one commit. Each is exactly as safe as alone: with `commit: 'shared'` one that fails is undone alone,
 * a batch that fails is tried again event by event, and so is every group whose transaction fails or in which a lease was lost.
 * Answers in the order given. Never rejects for a member: what the store could not say is `undefined`, and left to its lease.
 */
export async function processGroup<Tx>(
  processing: Processing<Tx>,
  members: readonly GroupMember<Tx>[],
): Promise<readonly (ClaimResult | undefined)[]> {
  const [first] = members
  if (first === undefined) return []
  if (members.length === 1) return [await alone(processing, first)]
  try {
    return first.handler.batch === undefined
      ? await processShared(processing, members)
      : await processBatch(processing, members, { handler: first.handler, run: first.handler.batch.run })
  } catch {
    const results: (ClaimResult | undefined)[] = []
    for (const member of members) results.push(await alone(processing, member))
    return results
  }
}

/** Rejections are the store's: whether it committed, the queue row will say at the next claim. */
async function alone<Tx>(
  processing: Processing<Tx>,
  { claim, handler, signal }: GroupMember<Tx>,
): Promise<ClaimResult | undefined> {
  return processClaim(processing, claim, [handler], signal).catch((error: unknown) => {
    processing.onOutage(error)
    return undefined
  })
}

type Shared<Tx> = { readonly member: GroupMember<Tx>; readonly result: RunResult | undefined }

async function processShared<Tx>(
  processing: Processing<Tx>,
  members: readonly GroupMember<Tx>[],
): Promise<readonly ClaimResult[]> {
  const shared = await processing.store.transaction((transaction) => runShared(transaction, processing, members))
  return Promise.all(shared.map((one) => concludeShared(processing, one)))
}

async function runShared<Tx>(
  transaction: StoreTransaction<Tx>,
  processing: Processing<Tx>,
  members: readonly GroupMember<Tx>[],
): Promise<readonly Shared<Tx>[]> {
  const shared: Shared<Tx>[] = []
  for (const member of members) {
    const { claim, handler, signal } = member
    const event = eventOf(processing, claim)
    const result = signal.aborted
      ? undefined
      : await runIn(transaction, processing, {
          handler,
          event,
          key: claim,
          attempt: claim.attempt,
          signal,
          isShared: true,
        })
    shared.push({ member, result })
  }
  const completed = shared.flatMap(({ member, result }) =>
    result?.kind === 'ran' ? [{ lease: member.claim.lease, run: result.run, ending: result.ending }] : [],
  )
  await completeAll(transaction, completed)
  return shared
}

async function concludeShared<Tx>(
  processing: Processing<Tx>,
  { member: { claim, handler, signal }, result }: Shared<Tx>,
): Promise<ClaimResult> {
  if (result?.kind === 'ran') {
    tellRan(processing, claim, result)
    return 'processed'
  }
  if (result === undefined || signal.aborted) return giveBack(processing, claim, signal)
  return concludeStopped(processing, claim, [{ result, policy: handler }])
}

async function processBatch<Tx>(
  processing: Processing<Tx>,
  members: readonly GroupMember<Tx>[],
  { handler, run }: { readonly handler: RegisteredHandler<Tx>; readonly run: BatchHandler<Tx> },
): Promise<readonly ClaimResult[]> {
  const { store, worker, targets } = processing
  const batch = members.map(({ claim }): BatchMember => {
    return { event: eventOf(processing, claim), key: claim, attempt: claim.attempt, lease: claim.lease }
  })
  const [first] = batch
  if (first === undefined) return []
  // The loss of one lease is the end of all: nothing of the batch could be committed.
  const { abort, unlink } = linkedAbort(AbortSignal.any(members.map(({ signal }) => signal)))
  try {
    const ran = await store.transaction(async (transaction) => {
      const log = processing.logFor(first.event, 1)
      const done = await runBatch(transaction, { handler, run, members: batch, worker, abort, log, targets })
      await completeAll(transaction, done)
      return done
    })
    for (const [index, { run: done, notes }] of ran.entries()) {
      const claim = members[index]?.claim
      if (claim !== undefined) tellRan(processing, claim, { run: done, notes })
    }
    return members.map(() => 'processed')
  } finally {
    unlink()
  }
}

function tellRan<Tx>(
  processing: Processing<Tx>,
  claim: Claim,
  { run, notes }: { readonly run: HandlerRun; readonly notes: readonly EffectNote[] },
): void {
  const subject = subjectOf(claim)
  tell(processing.emit, subject, { outcome: 'succeeded', handler: run.handler, run })
  tellEffects(processing, subject, { handler: run.handler, notes })
}

/** One lost lease fails all: what its event did cannot be taken out of the transaction any more. */
async function completeAll<Tx>(
  transaction: StoreTransaction<Tx>,
  completed: Parameters<StoreTransaction<Tx>['completeReceipts']>[0],
): Promise<void> {
  const held = new Set(await transaction.completeReceipts(completed))
  const lost = completed.find(({ lease }) => !held.has(lease.receiptId))
  if (lost !== undefined) throw leaseLost(lost.lease.receiptId)
}

function eventOf<Tx>(processing: Processing<Tx>, claim: Claim): ReturnType<typeof createWebhookEvent> {
  const readDocument = processing.readDocumentOf(claim.source)
  return createWebhookEvent({ ...claim, receiptId: claim.lease.receiptId, readDocument })
}
