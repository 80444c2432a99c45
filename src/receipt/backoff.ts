/** The delay before the next attempt, in seconds, given the number of attempts so far. */
export type Backoff = (attempts: number) => number

/** The delays between attempts. */
export type RetryOptions = {
  /** Runs until an event becomes a dead letter. Default 12, which with these delays is about 6 hours. */
  readonly maxAttempts?: number
  /** The delay after the first failure. Default 10. */
  readonly firstSeconds?: number
  /** Each delay is this many times the one before. Default 2. */
  readonly factor?: number
  /** No delay is longer. Default 6 hours. */
  readonly maximumSeconds?: number
  /** The share of each delay that is random, so that a thousand failures do not come back in one second. Default 0.2. */
  readonly jitter?: number
}

/** Exponential delays with jitter. `random` gives numbers from 0 to 1. */
export function exponentialBackoff(options: RetryOptions, random: () => number): Backoff {
  const { firstSeconds = 10, factor = 2, maximumSeconds = 6 * 3600, jitter = 0.2 } = options
  return (attempts) => {
    const delay = Math.min(maximumSeconds, firstSeconds * factor ** Math.max(0, attempts - 1))
    return delay * (1 - jitter + 2 * jitter * random())
  }
}
