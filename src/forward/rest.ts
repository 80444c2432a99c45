import type { Clock } from '../clock.ts'

/** When a destination that fails is left alone. */
export type CircuitOptions = {
  /** So many failures in a row, and it is left alone. Default 5. */
  readonly failures?: number
  /** For how long at first; each time it fails again, twice as long. Default 10. */
  readonly pauseSeconds?: number
  /** No pause is longer. Default 300. */
  readonly maximumPauseSeconds?: number
}

/**
 * Leaves a destination alone that fails, and lets one call through now and then to see whether it is well again. Events that wait meanwhile
 * lose no attempts.
 */
export type Rest = {
  readonly state: () => 'well' | 'rests' | 'tries'
  /** Undefined: go on, and say how it ended. Otherwise how long to wait, in seconds. */
  readonly enter: () => number | undefined
  readonly leave: (end: CallEnd) => void
  readonly onChange: (listener: () => void) => void
}

/** `unknown`: broken off by ourselves, which says nothing about the destination. */
export type CallEnd =
  | { readonly kind: 'well' | 'unknown' }
  /** It may ask to be left alone for a while. */
  | { readonly kind: 'ill'; readonly askedSeconds?: number | undefined }

/** A destination may ask for days; after so long it is at least asked again. */
const longestAskedSeconds = 3600

export function createRest(options: CircuitOptions | 'off', clock: Clock): Rest {
  const isOff = options === 'off'
  const { failures: most = 5, pauseSeconds = 10, maximumPauseSeconds = 300 } = isOff ? {} : options
  const listeners: (() => void)[] = []
  let failures = 0
  let pause = pauseSeconds
  /** Set while it is left alone: until when, whether that is over, and whether one is on its way to try. */
  let resting: { readonly until: number; isOver: boolean; isTrying: boolean } | undefined

  return { state, enter, leave, onChange: (listener) => void listeners.push(listener) }

  function state(): 'well' | 'rests' | 'tries' {
    if (resting === undefined) return 'well'
    return resting.isOver && !resting.isTrying ? 'tries' : 'rests'
  }

  function enter(): number | undefined {
    if (resting === undefined) return undefined
    if (!resting.isOver) return Math.max(0.01, (resting.until - now()) / 1000)
    // Somebody tries already; how that ends is known soon.
    if (resting.isTrying) return Math.min(5, pauseSeconds)
    resting.isTrying = true
    return undefined
  }

  function leave(end: CallEnd): void {
    switch (end.kind) {
      case 'unknown':
        if (resting !== undefined) resting.isTrying = false
        break
      case 'well':
        failures = 0
        // Only who was let through to try can have come back well: others left before the rest began, and say nothing new.
        if (resting?.isTrying === true) {
          resting = undefined
          pause = pauseSeconds
        }
        break
      case 'ill':
        failures += 1
        note(end.askedSeconds)
        break
    }
    change()
  }

  function note(asked: number | undefined): void {
    if (asked !== undefined && asked > 0) return restFor(Math.min(asked, longestAskedSeconds))
    if (isOff) return
    if (resting?.isTrying === true) {
      pause = Math.min(maximumPauseSeconds, pause * 2)
      restFor(pause)
    } else if (resting === undefined && failures >= most) restFor(pause)
  }

  function restFor(seconds: number): void {
    const mine = { until: now() + seconds * 1000, isOver: false, isTrying: false }
    resting = mine
    // The end of the wait counts, not the time of day: a timer may be a millisecond early, and nobody would wake us again.
    void clock.wait(seconds * 1000).then(() => {
      mine.isOver = true
      if (resting === mine) change()
    })
  }

  function change(): void {
    for (const listener of listeners) listener()
  }

  function now(): number {
    return clock.now().getTime()
  }
}
