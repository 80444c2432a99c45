import type { Clock } from '../clock.ts'

/** How long to wait, and how long to pause before asking again. */
export type Patience = {
  /** Rejects if it has not settled by then. What becomes of it later is nobody's concern. */
  readonly inTime: <Value>(started: Promise<Value>, milliseconds: number) => Promise<Value>
  /** Each longer than the one before, up to a quarter of a second, and never longer than `most`. */
  readonly pause: (round: number, most?: number) => Promise<void>
}

export function createPatience(clock: Clock, random: () => number): Patience {
  return {
    async inTime(started, milliseconds) {
      const over = new AbortController()
      const settled = started.then(
        (value) => ({ kind: 'answered', value }) as const,
        (error: unknown) => ({ kind: 'failed', error }) as const,
      )
      const late = clock.wait(milliseconds, over.signal).then(() => ({ kind: 'late' }) as const)
      const ended = await Promise.race([settled, late])
      over.abort()
      if (ended.kind === 'answered') return ended.value
      throw ended.kind === 'failed' ? ended.error : new Error(`no answer within ${milliseconds} ms`)
    },
    pause: (round, most = Number.POSITIVE_INFINITY) =>
      clock.wait(Math.min(most, Math.min(250, 10 * 2 ** Math.min(round, 5)) * (0.5 + random()))),
  }
}
