import type { Clock } from '../clock.ts'
import type { InboxListener } from '../events.ts'
import type { BodyDay, RetentionStore } from '../store/retention-store.ts'
import type { UpkeepLease } from '../store/upkeep-store.ts'
import type { UpkeepTask } from '../upkeep.ts'
import { secondsUntilOpen } from './off-peak.ts'
import type { RetentionSettings } from './retention-options.ts'
import { createWalker, type Walker } from './walk.ts'

export type BodiesTaskParts = {
  readonly store: RetentionStore
  readonly settings: Pick<RetentionSettings, 'window' | 'budgetSeconds' | 'batchSize'>
  readonly clock: Clock
  readonly emit: InboxListener
  /** An environment with nothing to be dropped any more, whatever was said before. */
  readonly forgotten?: string | undefined
}

const restFactor = 3
const countedPerStep = 10_000

/** How often to try for a lock that others hold, and how long to leave them alone in between. */
const tries = 5
const pauseMilliseconds = 300

/** Keeps the day partitions of bodies in order, for all environments that share the tables. */
export function bodiesTask({ store, settings, clock, emit, forgotten }: BodiesTaskParts): UpkeepTask {
  const { window, budgetSeconds, batchSize } = settings
  let hasTold = false

  return {
    name: 'bodies',
    scope: 'database',
    everySeconds: 3600,
    async run({ lease, signal, mayContinue }) {
      if (forgotten !== undefined) await store.removeRules(lease, forgotten)
      const partitionsMade = await store.prepareBodyDays(lease)
      const endsAt = performance.now() + budgetSeconds * 1000
      const walker = createWalker({
        clock,
        signal,
        restFactor,
        mayContinue: () => mayContinue() && performance.now() < endsAt,
      })
      const counted = await walker.walk(() => store.countDays(lease, countedPerStep))
      const isOpen = window === undefined || secondsUntilOpen(window, clock.now()) === 0
      const dropped = isOpen ? await dropPastDays(lease, walker) : { partitionsDropped: 0, isFinished: true }
      const kept = await walker.walk((after) => store.pruneKeptBodies(lease, { after, limit: batchSize }))
      const counts = { partitionsMade, partitionsDropped: dropped.partitionsDropped, keptBodies: kept.removed }
      if (counted.isFinished && dropped.isFinished && kept.isFinished) return { counts }
      return { outcome: 'unfinished', counts, ...(mayContinue() && { nextInSeconds: 600 }) }
    },
  }

  async function dropPastDays(
    lease: UpkeepLease,
    walker: Walker,
  ): Promise<{ readonly partitionsDropped: number; readonly isFinished: boolean }> {
    let partitionsDropped = 0
    let isFinished = true
    for (const day of await store.pastBodyDays()) {
      const result = await dropDay(lease, walker, day)
      if (result === 'done' && day.isPartition) partitionsDropped += 1
      isFinished &&= result === 'done'
    }
    return { partitionsDropped, isFinished }
  }

  /** The space is free once it is empty; that the partition itself goes can wait for a quiet moment. */
  async function dropDay(lease: UpkeepLease, walker: Walker, day: BodyDay): Promise<'done' | 'later'> {
    const kept = await walker.walk(() => store.keepNeededBodies(lease, day, batchSize))
    if (!kept.isFinished) return 'later'
    const emptied = day.isPartition ? await patiently(walker, () => store.emptyBodyDay(lease, day)) : 'refused'
    if (emptied === 'refused') {
      if (day.isPartition) tellRefused()
      const deleted = await walker.walk(() => store.deleteBodies(lease, day, batchSize))
      return deleted.isFinished ? 'done' : 'later'
    }
    if (emptied !== 'done') return 'later'
    return (await patiently(walker, () => store.dropBodyDay(lease, day))) === 'done' ? 'done' : 'later'
  }

  async function patiently<Result>(walker: Walker, work: () => Promise<Result>): Promise<Result | 'busy'> {
    for (let attempt = 1; walker.mayContinue(); attempt += 1) {
      const result = await work()
      if (result !== 'busy' || attempt === tries) return result
      await walker.rest(pauseMilliseconds)
    }
    return 'busy'
  }

  function tellRefused(): void {
    if (hasTold) return
    hasTold = true
    const message =
      'Bodies past their days are deleted row by row, because the role of this process does not own the tables and may not drop partitions. ' +
      'Run upkeep with the role that runs the migrations.'
    emit({ kind: 'notice', level: 'warning', message })
  }
}
