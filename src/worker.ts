import type { Clock } from './clock.ts'
import type { HandlerRegistry, RegisteredHandler } from './effects/handler-registry.ts'
import type { Processing } from './effects/processing.ts'
import type { Slots } from './effects/slots.ts'
import { describeError, leaseLost, OncehookError } from './errors.ts'
import { buryUnrun, type ClaimResult, processClaim } from './process-claim.ts'
import { createLeaseKeeper } from './receipt/lease-keeper.ts'
import { createPassedOver } from './receipt/passed-over.ts'
import type { Claim, ClaimScope } from './store/store.ts'

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

/** How many events ended how. */
export type DrainReport = Readonly<Record<ClaimResult, number>>

/** Claims due events and processes them. Asks the database for nothing while nothing is due. */
export type Worker = {
  readonly start: () => Promise<void>
  /** No new claims; what runs may finish within the grace, and is then rolled back and handed back. */
  readonly stop: (graceSeconds: number) => Promise<void>
  /** Something may be due. */
  readonly wake: () => void
  readonly isRunning: () => boolean
  /** Works off what is due now, and returns. */
  readonly drain: (limits: { readonly limit: number; readonly untilMilliseconds: number }) => Promise<DrainReport>
}

export type WorkerParts<Tx> = {
  readonly processing: Processing<Tx>
  readonly registry: HandlerRegistry<Tx>
  readonly clock: Clock
  readonly slots: Slots
  readonly environment: string
  readonly concurrency: number
  readonly leaseSeconds: number
  readonly pollSeconds: number
}

type Active = { readonly abort: AbortController; readonly done: Promise<void> }

export function createWorker<Tx>(parts: WorkerParts<Tx>): Worker {
  const { processing, registry, clock, slots, environment, concurrency, leaseSeconds, pollSeconds } = parts
  const { store, worker, emit } = processing
  const active = new Map<string, Active>()
  const leases = createLeaseKeeper({ renew: store.renewLeases, leaseSeconds, clock, onError: tellOutage })
  const passedOver = createPassedOver(clock)
  let running: AbortController | undefined
  let keepAlive: NodeJS.Timeout | undefined
  let timer = new AbortController()
  let isWoken = false
  let isPumping = false
  let failuresInRow = 0
  let stopListening: () => Promise<void> = () => Promise.resolve()

  return { start, stop, wake, isRunning: () => running !== undefined, drain }

  async function start(): Promise<void> {
    if (running !== undefined) return
    running = new AbortController()
    // All other timers let the process end; a worker that waits for work must not.
    keepAlive = setInterval(() => {}, 2 ** 30)
    const hearing = await store.listen(wake)
    stopListening = hearing.stop
    if (hearing.kind === 'poll') void poll(running.signal)
    wake()
  }

  async function stop(graceSeconds: number): Promise<void> {
    if (running === undefined) return
    running.abort()
    running = undefined
    clearInterval(keepAlive)
    timer.abort()
    const finished = Promise.all([...active.values()].map(({ done }) => done))
    const grace = new AbortController()
    void finished.then(() => grace.abort())
    await clock.wait(graceSeconds * 1000, grace.signal)
    for (const { abort } of active.values()) abort.abort(stopping())
    await finished
    await stopListening()
  }

  function wake(): void {
    isWoken = true
    if (!isPumping && hasRoom()) void pump()
  }

  function hasRoom(): boolean {
    return running !== undefined && active.size < concurrency
  }

  /** Claims while something is due and there is room for it; then sleeps until the next due time or a call. */
  async function pump(): Promise<void> {
    isPumping = true
    timer.abort()
    try {
      while (isWoken && hasRoom()) {
        isWoken = false
        const room = concurrency - active.size
        const claims = await store.claim({ ...scope(), worker, limit: room, leaseSeconds })
        for (const claim of claims) begin(claim)
        if (claims.length === room) isWoken = true
        else if (!isWoken) await sleepUntilDue()
      }
      failuresInRow = 0
    } catch (error) {
      tellOutage(error)
      failuresInRow += 1
      wakeAfter(Math.min(30_000, 500 * 2 ** failuresInRow))
    }
    isPumping = false
  }

  async function sleepUntilDue(): Promise<void> {
    const untilDue = await store.millisecondsUntilDue(scope())
    const milliseconds = Math.min(untilDue ?? Number.POSITIVE_INFINITY, passedOver.millisecondsUntilForgotten())
    if (Number.isFinite(milliseconds) && !isWoken) wakeAfter(milliseconds)
  }

  function wakeAfter(milliseconds: number): void {
    const own = new AbortController()
    timer = own
    // Beyond 2^31 ms a timer fires at once; a day is far enough.
    void clock.wait(Math.min(milliseconds, 86_400_000), own.signal).then(() => {
      if (!own.signal.aborted) wake()
    })
  }

  async function poll(signal: AbortSignal): Promise<void> {
    const message = `The database cannot call this process (is it behind PgBouncer?), so it is asked every ${pollSeconds} s instead.`
    emit({ kind: 'notice', level: 'warning', message })
    while (!signal.aborted) {
      await clock.wait(pollSeconds * 1000, signal)
      wake()
    }
  }

  function begin(claim: Claim): void {
    // Claimed while the worker was being stopped: given back as if never claimed.
    const abort = new AbortController()
    if (running === undefined) abort.abort(stopping())
    const isOrdered = registry.matching(claim.source, claim.event.type).some(({ order }) => order !== undefined)
    const done = processOne(claim, abort).then(async (result) => {
      active.delete(claim.lease.receiptId)
      // There is room for another, the next event of the same object may run now, or this one has a new due time.
      if (isWoken || isOrdered || result !== 'processed') wake()
      if (result === 'handed_back') await store.wakeOthers().catch(tellOutage)
    })
    active.set(claim.lease.receiptId, { abort, done })
  }

  /** Never rejects. An event whose fate is unknown is left to its lease. */
  async function processOne(claim: Claim, abort: AbortController): Promise<ClaimResult | undefined> {
    const letGo = leases.keep(claim.lease, () => abort.abort(leaseLost(claim.lease.receiptId)))
    let leave: (() => void) | undefined
    try {
      const handlers = registry.matching(claim.source, claim.event.type)
      const unfit = unfitToRun(claim, handlers)
      if (unfit?.kind === 'bury') return await buryUnrun(processing, claim, unfit.error)
      leave = unfit === undefined ? await slots.take(abort.signal) : undefined
      if (leave !== undefined) return await processClaim(processing, claim, handlers, abort.signal)
      if (unfit !== undefined) passOver(claim)
      await store.handBack([claim.lease])
      return 'handed_back'
    } catch (error) {
      tellOutage(error)
      return undefined
    } finally {
      letGo()
      leave?.()
    }
  }

  function passOver({ lease, source, event }: Claim): void {
    const message = `This process has no handler for ${source} events of type ${event.type}, so receipt ${lease.receiptId} is left to others.`
    emit({ kind: 'notice', level: 'warning', message })
    passedOver.add(lease.receiptId)
  }

  async function drain(limits: { readonly limit: number; readonly untilMilliseconds: number }): Promise<DrainReport> {
    const report = { processed: 0, retrying: 0, deferred: 0, dead: 0, lease_lost: 0, handed_back: 0 }
    const endsAt = performance.now() + limits.untilMilliseconds
    let left = limits.limit

    const lane = async (): Promise<void> => {
      while (left > 0 && performance.now() < endsAt) {
        left -= 1
        const [claim] = await store.claim({ ...scope(), worker, limit: 1, leaseSeconds })
        if (claim === undefined) return
        const result = await processOne(claim, new AbortController())
        if (result !== undefined) report[result] += 1
      }
    }
    await Promise.all(Array.from({ length: concurrency }, lane))
    return report
  }

  function scope(): ClaimScope {
    return { environment, sources: registry.sources(), except: passedOver.current() }
  }

  function tellOutage(error: unknown): void {
    emit({
      kind: 'notice',
      level: 'error',
      message: 'The worker could not reach the store; it tries again.',
      error: describeError(error),
    })
  }
}

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

function stopping(): OncehookError {
  return new OncehookError(
    'ONCEHOOK_STOPPED',
    'The worker is stopping, so this run was rolled back and given back for another worker.',
  )
}
