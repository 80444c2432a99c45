import type { Clock } from '../clock.ts'

/** Events that this process has no handler for. It leaves them to others, and looks again after a while. */
export type PassedOver = {
  readonly add: (receiptId: string) => void
  readonly current: () => readonly string[]
  /** Infinite if there are none. */
  readonly millisecondsUntilForgotten: () => number
}

/** Enough for a rollout; beyond it the oldest are looked at again. */
const mostRemembered = 1000

export function createPassedOver(clock: Clock, forgetAfterMilliseconds = 600_000): PassedOver {
  const until = new Map<string, number>()

  return {
    add(receiptId) {
      const [oldest] = until.keys()
      if (until.size >= mostRemembered && oldest !== undefined) until.delete(oldest)
      until.set(receiptId, clock.now().getTime() + forgetAfterMilliseconds)
    },
    current() {
      const now = clock.now().getTime()
      for (const [receiptId, end] of until) if (end <= now) until.delete(receiptId)
      return [...until.keys()]
    },
    millisecondsUntilForgotten: () => Math.max(0, Math.min(...until.values()) - clock.now().getTime()),
  }
}
