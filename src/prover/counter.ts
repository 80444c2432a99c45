import { setTimeout as pause } from 'node:timers/promises'
import type { ProverEvent } from './events.ts'
import type { Probe } from './probes/probe.ts'

/** How often each event took effect, by its id. */
export type Counts = ReadonlyMap<string, number>

/** Counts effects when they have come to rest. */
export type Counter = {
  /** False without a probe: then nothing can be counted. */
  readonly canSee: boolean
  /** Waits until each took effect, or patience ends, and then until nothing more comes. One effect too many ends it at once. */
  readonly expectOnce: (events: readonly ProverEvent[], patienceSeconds?: number) => Promise<Counts>
  /** Waits until nothing more comes. */
  readonly atRest: (events: readonly ProverEvent[]) => Promise<Counts>
  /** As it is now. */
  readonly now: (events: readonly ProverEvent[]) => Promise<Counts>
}

export type CounterOptions = {
  readonly probe: Probe | undefined
  readonly patienceSeconds: number
  /** How long nothing may happen before it counts as rest. Grows with the time that effects take after the answer. */
  readonly quietMilliseconds: () => number
}

/** Asks in one round that make up rest, at the least. */
const quietRounds = 3
const questionsAtOnce = 4

export function createCounter({ probe, patienceSeconds, quietMilliseconds }: CounterOptions): Counter {
  const now: Counter['now'] = async (events) => {
    const counts = new Map<string, number>()
    if (probe === undefined) return counts
    const waiting = [...events]
    const work = async (): Promise<void> => {
      for (let event = waiting.pop(); event !== undefined; event = waiting.pop()) {
        counts.set(event.id, await probe({ eventId: event.id, objectId: event.objectId }))
      }
    }
    await Promise.all(Array.from({ length: questionsAtOnce }, work))
    return counts
  }

  const atRest: Counter['atRest'] = async (events) => {
    let counts = await now(events)
    if (probe === undefined) return counts
    const gap = quietMilliseconds() / quietRounds
    for (let quiet = 0, rounds = 0; quiet < quietRounds && rounds < 100; rounds += 1) {
      await pause(gap)
      const next = await now(events)
      quiet = isSame(counts, next) ? quiet + 1 : 0
      counts = next
    }
    return counts
  }

  return {
    canSee: probe !== undefined,
    now,
    atRest,
    async expectOnce(events, patience = patienceSeconds) {
      const endsAt = performance.now() + patience * 1000
      for (let gap = 10; ; gap = Math.min(gap * 2, 200)) {
        const counts = await now(events)
        const values = [...counts.values()]
        if (values.some((count) => count > 1)) return counts
        if (values.every((count) => count === 1) || performance.now() > endsAt) return atRest(events)
        await pause(gap)
      }
    },
  }
}

function isSame(one: Counts, other: Counts): boolean {
  return [...one].every(([id, count]) => other.get(id) === count)
}
