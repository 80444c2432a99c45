import type { Clock } from '../clock.ts'

/** Lets so many a second pass, evenly, each waiting for its turn. */
export type Turns = {
  /** False if the signal was aborted first. */
  readonly wait: (signal: AbortSignal) => Promise<boolean>
}

export function createTurns(perSecond: number | undefined, clock: Clock): Turns {
  let nextAt = 0
  return {
    async wait(signal) {
      if (perSecond === undefined) return !signal.aborted
      const now = clock.now().getTime()
      const mine = Math.max(now, nextAt)
      nextAt = mine + 1000 / perSecond
      if (mine > now) await clock.wait(mine - now, signal)
      return !signal.aborted
    },
  }
}
