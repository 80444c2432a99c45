import { LazyAbort } from './abort.ts'
import type { Clock } from './clock.ts'
import { createGroupLanes } from './effects/group-lanes.ts'
import { createGroupTrust } from './effects/group-trust.ts'
import type { HandlerRegistry, RegisteredHandler } from './effects/handler-registry.ts'
import type { Processing } from './effects/processing.ts'
import { createGroupPace } from './effects/run-group.ts'
import type { Slots } from './effects/slots.ts'
import { leaseLost } from './errors.ts'
import { buryUnrun, type ClaimResult, processClaim, tellAbandoned } from './process-claim.ts'
import { processDetached } from './process-detached.ts'
import { type GroupMember, groupHandler, processGroup } from './process-group.ts'
import { createPump, type Pump } from './pump.ts'
import { createForesight } from './receipt/foresight.ts'
import { createLeaseKeeper } from './receipt/lease-keeper.ts'
import { createPassedOver } from './receipt/passed-over.ts'
import type { Claim, ClaimScope, Lease } from './store/store.ts'

/** How this process works off events. */
export type WorkerOptions = {
  /** Handlers that run at once in this process. Default 4, less on a small pool. */
  readonly concurrency?: number
  /** How long an event stays with a worker that gives no sign of life. Default 30. */
  readonly leaseSeconds?: number
  /** How often to ask where the database cannot call (behind PgBouncer). Default 5. */
  readonly pollSeconds?: number
  /** Shown in the attempt log. Default host name and process id. */
  readonly name?: string
}

/** Claims due events and processes them. */
export type Worker = {
  readonly pump: Pump
  /** Works off what is due now, and returns. */
  readonly drain: (limits: DrainLimits) => Promise<Readonly<Record<ClaimResult, number>>>
}

export type DrainLimits = { readonly limit: number; readonly untilMilliseconds: number }

export type WorkerParts<Tx> = {
  readonly processing: Processing<Tx>
  readonly registry: HandlerRegistry<Tx>
  readonly clock: Clock
  readonly slots: Slots
  readonly environment: string
  readonly concurrency: number
  readonly leaseSeconds: number
  readonly lane: WorkerLane
}

/** Which events it takes. */
export type WorkerLane = {
  readonly sources: () => readonly string[]
  /** How many it may have in hand at the moment, besides its own limit. Default: as many as it likes. */
  readonly room?: () => number
}

export function createWorker<Tx>(parts: WorkerParts<Tx>): Worker {
  const { processing, registry, clock, slots, environment, concurrency, leaseSeconds, lane } = parts
  const { store, worker, emit } = processing
  const { onOutage } = processing
  const passedOver = createPassedOver(clock)
  const foresight = createForesight(concurrency)
  const leases = createLeaseKeeper<Lease>({
    renew: store.renewLeases,
    idOf: ({ receiptId }) => receiptId,
    leaseSeconds,
    clock,
    onError: onOutage,
  })
  const manner = { trust: createGroupTrust(), pace: createGroupPace() }
  const groups = createGroupLanes<GroupMember<Tx>, ClaimResult | undefined>({
    lanes: concurrency,
    slots,
    process: (members) => timed(members.length, () => processGroup(processing, members, manner)),
  })
  const pump = createPump<Claim>({
    capacity: room,
    refillAt: () => Math.min(room() - 1, Math.max(concurrency - 1, Math.floor(foresight.room() / 2))),
    clock,
    claim,
    async millisecondsUntilDue() {
      if (lane.sources().length === 0) return undefined
      const untilDue = await store.millisecondsUntilDue(scope())
      const milliseconds = Math.min(untilDue ?? Number.POSITIVE_INFINITY, passedOver.millisecondsUntilForgotten())
      return Number.isFinite(milliseconds) ? milliseconds : undefined
    },
    async run(claim, abort) {
      const isOrdered = registry.matching(claim.source, claim.event.type).some(({ order }) => order !== undefined)
      const result = await processOne(claim, abort)
      if (result === 'handed_back') await store.wakeOthers().catch(onOutage)
      // The next event of the same object may run now, or this one has a new due time.
      return isOrdered || result !== 'processed' ? 'again' : 'done'
    },
    onOutage,
  })
  return { pump, drain }

  function room(): number {
    return Math.min(foresight.room(), lane.room?.() ?? Number.POSITIVE_INFINITY)
  }

  async function claim(limit: number): Promise<readonly Claim[]> {
    return lane.sources().length === 0 ? [] : store.claim({ ...scope(), worker, limit, leaseSeconds })
  }

  /** Never rejects. An event whose fate is unknown is left to its lease. */
  async function processOne(claim: Claim, stopping: LazyAbort): Promise<ClaimResult | undefined> {
    const abort = new LazyAbort(stopping)
    const letGo = leases.keep(claim.lease, () => abort.abort(leaseLost(claim.lease.receiptId)))
    let leave: (() => void) | undefined
    try {
      if (claim.abandonedBy !== undefined) tellAbandoned(processing, claim)
      const handlers = registry.matching(claim.source, claim.event.type)
      const unfit = unfitToRun(claim, handlers)
      if (unfit?.kind === 'bury') return await buryUnrun(processing, claim, unfit.error)
      if (unfit === undefined && handlers.some(({ detached }) => detached !== undefined)) {
        return await timed(1, () => processDetached(processing, claim, handlers, { slots, abort }))
      }
      const handler = unfit === undefined ? groupHandler(claim, handlers) : undefined
      if (handler !== undefined) {
        const size = handler.batch?.size ?? sharedGroupSize
        return await groups.join(handler.name, size, { claim, handler, abort })
      }
      leave = unfit === undefined ? await slots.take(abort) : undefined
      if (leave !== undefined) return await timed(1, () => processClaim(processing, claim, handlers, abort))
      if (unfit !== undefined) passOver(claim)
      await store.handBack([claim.lease])
      return 'handed_back'
    } catch (error) {
      onOutage(error)
      return undefined
    } finally {
      abort.unlink()
      letGo()
      leave?.()
    }
  }

  function passOver({ lease, source, event }: Claim): void {
    const message = `This process has no handler for ${source} events of type ${event.type}, so receipt ${lease.receiptId} is left to others.`
    emit({ kind: 'notice', level: 'warning', message })
    passedOver.add(lease.receiptId)
  }

  async function drain(limits: DrainLimits): Promise<Readonly<Record<ClaimResult, number>>> {
    const report = { processed: 0, retrying: 0, deferred: 0, dead: 0, lease_lost: 0, handed_back: 0 }
    const endsAt = performance.now() + limits.untilMilliseconds
    let left = limits.limit

    const lane = async (): Promise<void> => {
      while (left > 0 && performance.now() < endsAt) {
        const limit = Math.min(left, Math.ceil(foresight.room() / concurrency))
        left -= limit
        const claims = await claim(limit)
        left += limit - claims.length
        if (claims.length === 0) return
        const results = await Promise.all(claims.map((claim) => processOne(claim, new LazyAbort())))
        for (const result of results) if (result !== undefined) report[result] += 1
      }
    }
    await Promise.all(Array.from({ length: concurrency }, lane))
    return report
  }

  function scope(): ClaimScope {
    return { environment, sources: lane.sources(), except: passedOver.current() }
  }

  async function timed<Result>(events: number, work: () => Promise<Result>): Promise<Result> {
    const startedAt = performance.now()
    try {
      return await work()
    } finally {
      foresight.note(performance.now() - startedAt, events)
    }
  }
}

/** More in one commit gain little, and hold their locks for longer. */
const sharedGroupSize = 50

/** Why an event is not run here, if that is so. */
function unfitToRun<Tx>(
  claim: Claim,
  handlers: readonly RegisteredHandler<Tx>[],
): { readonly kind: 'bury'; readonly error: string } | { readonly kind: 'leave_to_others' } | undefined {
  // During a rollout a newer process may know a handler that this one does not.
  if (handlers.length === 0) return { kind: 'leave_to_others' }
  // Attempts are counted when they begin, so an event that kills its process every time ends here.
  const maxAttempts = Math.max(...handlers.map((handler) => handler.maxAttempts))
  if (claim.attempt <= maxAttempts) return undefined
  return { kind: 'bury', error: `Its process died, or lost its lease, in the last of ${claim.attempt - 1} attempts.` }
}
