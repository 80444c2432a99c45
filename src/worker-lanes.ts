import type { Destination } from './effects/detached-handler.ts'
import type { ClaimResult } from './process-claim.ts'
import { createWorker, type Worker, type WorkerParts } from './worker.ts'

/**
 * The worker, and one more for each set of destinations that sources have in common: a destination that is slow or away holds up its own
 * events and no others. Without destinations there is but the one.
 */
export function createWorkerLanes<Tx>(parts: Omit<WorkerParts<Tx>, 'lane'>): Worker {
  const { registry, concurrency } = parts
  const lanes: Worker[] = []
  const taken = new Set<string>()
  const main = createWorker({
    ...parts,
    lane: { sources: () => registry.sources().filter((name) => !taken.has(name)) },
  })

  return {
    pump: {
      start() {
        openLanes()
        for (const { pump } of all()) pump.start()
      },
      stop: async (graceSeconds) => void (await Promise.all(all().map(({ pump }) => pump.stop(graceSeconds)))),
      wake() {
        for (const { pump } of all()) pump.wake()
      },
    },
    async drain(limits) {
      openLanes()
      const endsAt = performance.now() + limits.untilMilliseconds
      const sum = { processed: 0, retrying: 0, deferred: 0, dead: 0, lease_lost: 0, handed_back: 0 }
      let { limit } = limits
      for (const worker of all()) {
        const report = await worker.drain({ limit, untilMilliseconds: endsAt - performance.now() })
        for (const kind of Object.keys(sum) as ClaimResult[]) {
          sum[kind] += report[kind]
          limit -= report[kind]
        }
      }
      return sum
    },
  }

  function all(): readonly Worker[] {
    return [main, ...lanes]
  }

  /** For sources that have handlers by now; what is added later falls to the worker that takes all the rest. */
  function openLanes(): void {
    const groups = new Map<string, { readonly destinations: readonly Destination[]; readonly sources: string[] }>()
    const known: Destination[] = []
    for (const source of registry.sources().filter((name) => !taken.has(name))) {
      const destinations = registry.destinationsOf(source)
      if (destinations.length === 0) continue
      for (const destination of destinations) if (!known.includes(destination)) known.push(destination)
      const key = destinations
        .map((destination) => known.indexOf(destination))
        .toSorted((one, other) => one - other)
        .join()
      const group = groups.get(key) ?? { destinations, sources: [] }
      groups.set(key, group)
      group.sources.push(source)
      taken.add(source)
    }
    for (const { destinations, sources } of groups.values()) lanes.push(openLane(destinations, sources))
  }

  function openLane(destinations: readonly Destination[], sources: readonly string[]): Worker {
    const places = destinations.reduce((sum, destination) => sum + destination.concurrency, 0)
    const hasOthers = sources.some((source) => registry.hasAttached(source))
    const lane = createWorker({
      ...parts,
      concurrency: places + (hasOthers ? concurrency : 0),
      lane: { sources: () => sources, room: () => (hasOthers ? Number.POSITIVE_INFINITY : roomOf(destinations)) },
    })
    for (const { onChange } of destinations) onChange(lane.pump.wake)
    return lane
  }
}

/** As long as one of several is well, events are claimed, and those for the others are put off one by one. */
function roomOf(destinations: readonly Destination[]): number {
  const states = destinations.map(({ state }) => state())
  if (states.includes('well')) return Number.POSITIVE_INFINITY
  return states.includes('tries') ? 1 : 0
}
