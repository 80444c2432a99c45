import { LazyAbort } from './abort.ts'
import type { GroupTrust } from './effects/group-trust.ts'
import type { BatchHandler } from './effects/handler.ts'
import type { RegisteredHandler } from './effects/handler-registry.ts'
import { batchSpan } from './effects/handler-span.ts'
import { type Processing, runIn } from './effects/processing.ts'
import { type BatchMember, type RanMember, runBatch } from './effects/run-batch.ts'
import { type GroupPace, runGroup } from './effects/run-group.ts'
import type { RunResult } from './effects/run-handler.ts'
import { isOncehookError } from './errors.ts'
import { type ClaimResult, concludeStopped, eventOfClaim, giveBack, processClaim, tellRan } from './process-claim.ts'
import type { Claim, CompletedReceipt, RunPlace, StoreTransaction } from './store/store.ts'

/** A claimed event that is processed together with others of its handler. */
export type GroupMember<Tx> = {
  readonly claim: Claim
  readonly handler: RegisteredHandler<Tx>
  /** Aborted when its lease is lost or the worker stops. */
  readonly abort: LazyAbort
}

/** How groups of each handler are run. */
export type GroupManner = { readonly trust: GroupTrust; readonly pace: GroupPace }

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
 * Events in one transaction and one commit. Each is exactly as safe as alone: with `commit: 'shared'` the first that fails undoes the group,
 * which is then run again with a savepoint for each event, so that what fails is undone alone. A batch that fails is tried again event by
 * event, and so is every group whose transaction fails or in which a lease was lost.
 * Answers in the order given. Never rejects for a member: what the store could not say is `undefined`, and left to its lease.
 */
export async function processGroup<Tx>(
  processing: Processing<Tx>,
  members: readonly GroupMember<Tx>[],
  manner: GroupManner,
): Promise<readonly (ClaimResult | undefined)[]> {
  const [first] = members
  if (first === undefined) return []
  if (members.length === 1) return [await alone(processing, first)]
  try {
    return first.handler.batch === undefined
      ? await processShared(processing, members, { handler: first.handler, ...manner })
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
  { claim, handler, abort }: GroupMember<Tx>,
): Promise<ClaimResult | undefined> {
  return processClaim(processing, claim, [handler], abort).catch((error: unknown) => {
    processing.onOutage(error)
    return undefined
  })
}

type Shared<Tx> = { readonly member: GroupMember<Tx>; readonly result: RunResult | undefined }

async function processShared<Tx>(
  processing: Processing<Tx>,
  members: readonly GroupMember<Tx>[],
  { handler, trust, pace }: { readonly handler: RegisteredHandler<Tx> } & GroupManner,
): Promise<readonly ClaimResult[]> {
  const trusted = trust.isTrusted(handler.name) ? await runTrusted(processing, members, { handler, pace }) : undefined
  const shared =
    trusted ?? (await processing.store.transaction((transaction) => runShared(transaction, processing, members)))
  const isWell = shared.every(({ result }) => result?.kind === 'ran')
  if (trusted === undefined && isWell && !trust.isTrusted(handler.name)) trust.regain(handler.name)
  else if (trusted === undefined) trust.lose(handler.name)
  return Promise.all(shared.map((one) => concludeShared(processing, one)))
}

/** All of them or none: undefined if one did not run to its end, and then nothing of any is left. */
async function runTrusted<Tx>(
  processing: Processing<Tx>,
  members: readonly GroupMember<Tx>[],
  { handler, pace }: { readonly handler: RegisteredHandler<Tx>; readonly pace: GroupPace },
): Promise<readonly Shared<Tx>[] | undefined> {
  const { name, timeoutSeconds } = handler
  const runOne = async (place: RunPlace<Tx>, member: GroupMember<Tx>): Promise<Shared<Tx>> => {
    const result = await runMember(place, processing, member)
    if (result?.kind !== 'ran') throw new Error('One of the group did not run to its end.')
    return { member, result }
  }
  const run = async (transaction: StoreTransaction<Tx>): Promise<readonly Shared<Tx>[]> => {
    const shared = await runGroup(transaction, members, { handler: name, pace, run: runOne })
    await transaction.finishReceipts(shared.flatMap(completedOf))
    return shared
  }
  try {
    return await processing.store.transaction(run, { handlerSeconds: timeoutSeconds })
  } catch (error) {
    // Whether it was committed is not known: the queue rows will say.
    if (isOncehookError(error, 'ONCEHOOK_COMMIT_UNKNOWN')) throw error
    return undefined
  }
}

function runMember<Tx>(
  place: RunPlace<Tx>,
  processing: Processing<Tx>,
  { claim, handler, abort }: GroupMember<Tx>,
): Promise<RunResult | undefined> {
  if (abort.isAborted) return Promise.resolve(undefined)
  const event = eventOfClaim(processing, claim)
  return runIn(place, processing, { handler, event, key: claim, attempt: claim.attempt, abort })
}

function completedOf<Tx>({ member, result }: Shared<Tx>): readonly CompletedReceipt[] {
  return result?.kind === 'ran' ? [{ lease: member.claim.lease, run: result.run, ending: result.ending }] : []
}

async function runShared<Tx>(
  transaction: StoreTransaction<Tx>,
  processing: Processing<Tx>,
  members: readonly GroupMember<Tx>[],
): Promise<readonly Shared<Tx>[]> {
  const place = { run: transaction.runShared, effects: transaction.effects }
  const shared: Shared<Tx>[] = []
  for (const member of members) shared.push({ member, result: await runMember(place, processing, member) })
  await transaction.finishReceipts(shared.flatMap(completedOf))
  return shared
}

async function concludeShared<Tx>(
  processing: Processing<Tx>,
  { member: { claim, handler, abort }, result }: Shared<Tx>,
): Promise<ClaimResult> {
  if (result?.kind === 'ran') {
    tellRan(processing, claim, { ...result, completes: 'receipt' })
    return 'processed'
  }
  if (result === undefined || abort.isAborted) return giveBack(processing, claim, { abort, handler: handler.name })
  return concludeStopped(processing, claim, [{ result, policy: handler }])
}

async function processBatch<Tx>(
  processing: Processing<Tx>,
  members: readonly GroupMember<Tx>[],
  { handler, run }: { readonly handler: RegisteredHandler<Tx>; readonly run: BatchHandler<Tx> },
): Promise<readonly ClaimResult[]> {
  const { store, worker, targets, tracing } = processing
  const batch = members.map(({ claim }): BatchMember => {
    return { event: eventOfClaim(processing, claim), key: claim, attempt: claim.attempt, lease: claim.lease }
  })
  const [first] = batch
  if (first === undefined) return []
  // The loss of one lease is the end of all: nothing of the batch could be committed.
  const abort = new LazyAbort(...members.map((member) => member.abort))
  try {
    const ran = await store.transaction(
      async (transaction) => {
        const log = processing.logFor(first.event, 1)
        const isTraced = tracing !== undefined
        const runAll = (): Promise<readonly RanMember[]> =>
          runBatch(transaction, { handler, run, members: batch, worker, abort, log, targets, isTraced })
        const events = batch.map(({ event }) => event)
        const done = await (tracing === undefined
          ? runAll()
          : tracing.span(batchSpan(handler.name, events), runAll, () => ({})))
        await transaction.finishReceipts(done)
        return done
      },
      { handlerSeconds: handler.timeoutSeconds },
    )
    for (const [index, { run: done, notes }] of ran.entries()) {
      const claim = members[index]?.claim
      if (claim !== undefined) tellRan(processing, claim, { run: done, notes, completes: 'receipt' })
    }
    return members.map(() => 'processed')
  } finally {
    abort.unlink()
  }
}
