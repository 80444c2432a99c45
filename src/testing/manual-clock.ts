import { invalidOptions } from '../errors.ts'
import type { Clock } from '../index.ts'
import { type Duration, millisecondsOf } from './duration.ts'

/** A clock that stands still until it is moved. */
export type ManualClock = Clock & {
  /** Lets the time pass, and lets whatever waited for it go on. */
  readonly advance: (duration: Duration) => Promise<void>
  /** Moves it forward to this moment; does nothing if that is past. */
  readonly advanceTo: (moment: Date) => Promise<void>
  /** Tells of every move before anybody who waited goes on. Returns a function that ends it. */
  readonly onMove: (listener: (now: Date) => Promise<void>) => () => void
}

/**
 * Pauses between two looks at something that others do end by themselves: what they wait for happens in real time.
 * Longer waits are for a moment, and that comes when the clock is moved.
 */
const longestRealPauseMilliseconds = 1000

/** Starts at the given moment, or else at this one. */
export function manualClock(start: Date | string = new Date()): ManualClock {
  let now = new Date(start).getTime()
  if (Number.isNaN(now)) throw invalidOptions('The clock', [`${JSON.stringify(start)} is not a date.`])
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>()
  const listeners = new Set<(now: Date) => Promise<void>>()

  const advanceTo = async (end: number): Promise<void> => {
    if (end > now) {
      now = end
      for (const listener of listeners) await listener(new Date(now))
    }
    const due = [...sleepers].filter(({ at }) => at <= now).toSorted((one, other) => one.at - other.at)
    for (const { wake } of due) wake()
    await nextTurn()
  }

  return {
    now: () => new Date(now),
    wait: (milliseconds, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) return resolve()
        const isPause = milliseconds <= longestRealPauseMilliseconds
        const timer = isPause ? setTimeout(() => wake(), Math.max(0, milliseconds)) : undefined
        timer?.unref()
        const wake = (): void => {
          clearTimeout(timer)
          sleepers.delete(sleeper)
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        const sleeper = { at: now + milliseconds, wake }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', wake, { once: true })
      }),
    advance: (duration) => advanceTo(now + millisecondsOf(duration)),
    advanceTo: (moment) => advanceTo(moment.getTime()),
    onMove(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** Lets every promise that can settle do so. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
