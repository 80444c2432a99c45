import { linkedAbort } from './abort.ts'
import type { Clock } from './clock.ts'
import { describeError, OncehookError } from './errors.ts'
import type { InboxListener, UpkeepEvent } from './events.ts'
import type { Pump } from './pump.ts'
import { createLeaseKeeper } from './receipt/lease-keeper.ts'
import type { UpkeepEnding, UpkeepLease, UpkeepStore } from './store/upkeep-store.ts'

/** Something that has to be done now and then, by one process of all that share a database. */
export type UpkeepTask = {
  /** The same in every process. */
  readonly name: string
  readonly everySeconds: number
  /** `environment` (default): each environment has a runner of its own. `database`: one for all that share the tables. */
  readonly scope?: 'environment' | 'database'
  /** In small steps, each whole in itself: the process may die after any of them, and another goes on. */
  readonly run: (context: UpkeepContext) => Promise<UpkeepResult>
}

export type UpkeepContext = {
  /** Aborted when the lease is lost, or when the process cannot wait any longer. */
  readonly signal: AbortSignal
  /** To be asked before every step. False when it is time to end: the process stops, its time is up, or the lease may have run out. */
  readonly mayContinue: () => boolean
  /** For statements that check it: whoever comes late changes nothing. */
  readonly lease: UpkeepLease
}

export type UpkeepResult = {
  /** `unfinished`: there is more to do. Default `done`. */
  readonly outcome?: 'done' | 'unfinished'
  /** What was done: `{ receipts: 500 }`. */
  readonly counts?: Readonly<Record<string, number>>
  /** When it is due again. Default `everySeconds`, give or take a tenth; at once if it had to end before it was done. */
  readonly nextInSeconds?: number
}

/** Does the tasks when they are due. Asks for nothing in between. */
export type Upkeep = {
  /** A new event makes no task due, so waking it does nothing. */
  readonly pump: Pump
  /** Does what is due now, and returns. Never rejects. */
  readonly drain: (untilMilliseconds: number) => Promise<void>
  /** Does a task although it is not due. `busy`: another process is at it. */
  readonly doNow: (name: string, signal: AbortSignal) => Promise<Done | 'busy'>
}

/** How a run ended. */
export type Done = {
  readonly outcome: UpkeepEvent['outcome']
  readonly counts: Readonly<Record<string, number>>
  /** What a failed one threw. */
  readonly failure: unknown
}

export type UpkeepParts = {
  readonly store: UpkeepStore
  readonly tasks: readonly UpkeepTask[]
  readonly environment: string
  readonly worker: string
  readonly clock: Clock
  readonly random: () => number
  readonly emit: InboxListener
  readonly leaseSeconds: number
}

/** How long a run may go on: `mayGoOn` is asked, `signal` does not ask. */
type Limits = { readonly mayGoOn: () => boolean; readonly signal: AbortSignal }

type Started = { readonly ending: AbortController; readonly abort: AbortController; readonly done: Promise<void> }

export function createUpkeep(parts: UpkeepParts): Upkeep {
  const { store, tasks, environment, worker, clock, random, emit, leaseSeconds } = parts
  /** By fence: until when a lease is held for certain, in this process's own measure of time. */
  const heldUntil = new Map<string, number>()
  const leases = createLeaseKeeper<UpkeepLease>({
    renew: renewLeases,
    idOf: ({ fence }) => fence,
    leaseSeconds,
    clock,
    onError: tellOutage,
  })
  let started: Started | undefined
  let nothingDueBefore = 0

  return { pump: { start, stop, wake: () => undefined }, drain, doNow }

  function start(): void {
    if (started !== undefined || tasks.length === 0) return
    const ending = new AbortController()
    const abort = new AbortController()
    started = { ending, abort, done: keepUp(ending.signal, abort.signal) }
  }

  async function stop(graceSeconds: number): Promise<void> {
    if (started === undefined) return
    const { ending, abort, done } = started
    started = undefined
    ending.abort()
    const grace = new AbortController()
    const finished = done.then(() => grace.abort())
    await clock.wait(graceSeconds * 1000, grace.signal)
    abort.abort(stopping())
    await finished
  }

  /** Sleeps until something is due, however long that is. */
  async function keepUp(ending: AbortSignal, signal: AbortSignal): Promise<void> {
    let failuresInRow = 0
    while (!ending.aborted) {
      try {
        const milliseconds = await doNext({ mayGoOn: () => !ending.aborted, signal })
        failuresInRow = 0
        await clock.wait(spread(milliseconds), ending)
      } catch (error) {
        tellOutage(error)
        failuresInRow += 1
        await clock.wait(Math.min(3_600_000, 1000 * 2 ** failuresInRow), ending)
      }
    }
  }

  async function drain(untilMilliseconds: number): Promise<void> {
    const endsAt = performance.now() + untilMilliseconds
    const limits = { mayGoOn: () => performance.now() < endsAt, signal: new AbortController().signal }
    try {
      while (tasks.length > 0 && limits.mayGoOn() && clock.now().getTime() >= nothingDueBefore) await doNext(limits)
    } catch (error) {
      tellOutage(error)
    }
  }

  async function doNow(name: string, signal: AbortSignal): Promise<Done | 'busy'> {
    const task = tasks.find((known) => known.name === name)
    if (task === undefined) throw new RangeError(`There is no task ${name}.`)
    // The first call makes a new task known, and the second takes it.
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const askedAt = performance.now()
      const claim = await store.claim({ tasks: [knownTask(task)], worker, leaseSeconds, isDueNow: true })
      if (claim.kind === 'claimed') {
        return runHeld(task, claim.lease, { askedAt, limits: { mayGoOn: () => !signal.aborted, signal } })
      }
    }
    return 'busy'
  }

  /** Does one task, if any is due. Answers with the milliseconds until there may be another. */
  async function doNext(limits: Limits): Promise<number> {
    const askedAt = performance.now()
    const claim = await store.claim({ tasks: tasks.map(knownTask), worker, leaseSeconds })
    if (claim.kind === 'nothing_due') {
      // Another process may be claiming it in this moment, and then its time has come already.
      const milliseconds = Math.max(1000, claim.millisecondsUntilDue)
      nothingDueBefore = clock.now().getTime() + milliseconds
      return milliseconds
    }
    const task = tasks.find(({ name }) => name === claim.lease.task)
    if (task !== undefined) await runHeld(task, claim.lease, { askedAt, limits })
    return 0
  }

  async function runHeld(
    task: UpkeepTask,
    lease: UpkeepLease,
    { askedAt, limits }: { readonly askedAt: number; readonly limits: Limits },
  ): Promise<Done> {
    heldUntil.set(lease.fence, askedAt + leaseSeconds * 1000)
    try {
      return await run(task, lease, limits)
    } finally {
      heldUntil.delete(lease.fence)
    }
  }

  async function run(task: UpkeepTask, lease: UpkeepLease, { mayGoOn, signal }: Limits): Promise<Done> {
    const startedAt = performance.now()
    const { abort, unlink } = linkedAbort(signal)
    const letGo = leases.keep(lease, () => abort.abort(taskLost(task.name)))
    const mayContinue = (): boolean => mayGoOn() && !abort.signal.aborted && isHeld(lease)
    let ending: UpkeepEnding
    let failure: unknown
    let counts: UpkeepResult['counts'] = {}
    try {
      const result = await task.run({ signal: abort.signal, mayContinue, lease })
      const outcome = result.outcome === 'unfinished' && !mayContinue() ? 'stopped' : (result.outcome ?? 'done')
      counts = result.counts ?? counts
      const nextInSeconds =
        result.nextInSeconds ?? (outcome === 'stopped' ? 0 : task.everySeconds * (0.9 + 0.2 * random()))
      ending = { outcome, detail: undefined, nextInSeconds }
    } catch (error) {
      failure = error
      ending = { outcome: 'failed', detail: describeError(error), nextInSeconds: Math.min(task.everySeconds, 300) }
    } finally {
      unlink()
      letGo()
    }
    const outcome = (await store.finish(lease, ending)) ? ending.outcome : 'lease_lost'
    emit({
      kind: 'upkeep',
      task: task.name,
      outcome,
      tookMilliseconds: performance.now() - startedAt,
      counts,
      ...(ending.detail !== undefined && { error: ending.detail }),
    })
    return { outcome, counts, failure }
  }

  async function renewLeases(renewed: readonly UpkeepLease[], seconds: number): Promise<readonly string[]> {
    const askedAt = performance.now()
    const held = await store.renewLeases(renewed, seconds)
    for (const fence of held) if (heldUntil.has(fence)) heldUntil.set(fence, askedAt + seconds * 1000)
    return held
  }

  function isHeld({ fence }: UpkeepLease): boolean {
    return performance.now() < (heldUntil.get(fence) ?? 0)
  }

  /** Not at the start of all processes at once, and never while a test of one's own has just begun. */
  function knownTask({ name, scope, everySeconds }: UpkeepTask): {
    environment: string | undefined
    name: string
    firstInSeconds: number
  } {
    const firstInSeconds = everySeconds * (0.5 + 0.5 * random())
    return { environment: scope === 'database' ? undefined : environment, name, firstInSeconds }
  }

  /** Many processes wait for the same moment; one of them is enough. A timer beyond 2^31 ms would fire at once. */
  function spread(milliseconds: number): number {
    return Math.min(86_400_000, milliseconds + random() * Math.min(5000, milliseconds / 20))
  }

  function tellOutage(error: unknown): void {
    const message = 'Upkeep could not reach the store; it tries again.'
    emit({ kind: 'notice', level: 'error', message, error: describeError(error) })
  }
}

function stopping(): OncehookError {
  return new OncehookError(
    'ONCEHOOK_STOPPED',
    'The process is stopping, so this task of upkeep is left to another process.',
  )
}

function taskLost(task: string): OncehookError {
  return new OncehookError(
    'ONCEHOOK_LEASE_LOST',
    `The upkeep task "${task}" has been taken over by another process, so it ends here. ` +
      'If this happens often, the process is blocked for longer than the lease: raise worker.leaseSeconds or look for long synchronous work.',
  )
}
