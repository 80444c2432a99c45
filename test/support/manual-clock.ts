import type { Clock } from '../../src/clock.ts'

export type ManualClock = Clock & {
  /** Lets the time pass, and lets whatever waited for it run. */
  readonly advance: (milliseconds: number) => Promise<void>
}

/** A clock that stands still until it is told to go on. */
export function createManualClock(start = new Date('2026-01-01T00:00:00Z')): ManualClock {
  let now = start.getTime()
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>()

  return {
    now: () => new Date(now),
    wait: (milliseconds, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) return resolve()
        const wake = (): void => {
          sleepers.delete(sleeper)
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        const sleeper = { at: now + milliseconds, wake }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', wake, { once: true })
      }),
    async advance(milliseconds) {
      const end = now + milliseconds
      for (;;) {
        await settle()
        const next = [...sleepers].filter(({ at }) => at <= end).toSorted((one, other) => one.at - other.at)[0]
        if (next === undefined) break
        now = next.at
        next.wake()
      }
      now = end
      await settle()
    },
  }
}

/** Lets every promise that can settle do so. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
