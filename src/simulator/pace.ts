import type { Clock } from '../index.ts'

/** How simulated time goes by. Moments are milliseconds since 1970, of the simulation. */
export type Pace = {
  /** True if time stands still while anything is under way, and jumps to what is due next. */
  readonly isJumping: boolean
  readonly now: () => number
  /** Resolves when that moment has come, or the signal is aborted. */
  readonly until: (moment: number, signal: AbortSignal) => Promise<void>
}

/** As fast as the endpoint answers. */
export function jumpingPace(start: number): Pace {
  let now = start
  return {
    isJumping: true,
    now: () => now,
    until: async (moment) => {
      now = Math.max(now, moment)
    },
  }
}

/** So many times as fast as real time. */
export function steadyPace(start: number, speed: number, clock: Clock): Pace {
  const startedAt = clock.now().getTime()
  const now = (): number => start + (clock.now().getTime() - startedAt) * speed
  return {
    isJumping: false,
    now,
    until: async (moment, signal) => {
      const milliseconds = (moment - now()) / speed
      if (milliseconds > 0) await waitAwake(clock, milliseconds, signal)
    },
  }
}

/** The clock's own waiting lets a process end that has nothing else to do; a simulation is something to do. */
async function waitAwake(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  const awake = setInterval(() => {}, 60_000)
  try {
    await clock.wait(milliseconds, signal)
  } finally {
    clearInterval(awake)
  }
}
