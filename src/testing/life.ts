import type { CrashPoint } from './crash-points.ts'

/** The life of one inbox, as of one process: it can end at a point that was chosen beforehand. */
export type Life = {
  readonly isOver: () => boolean
  /** Resolves when it is over. */
  readonly end: Promise<void>
  /** Ends it at this point. Answers with a function that takes the intention back. */
  readonly endAfter: (point: CrashPoint) => () => void
  /** To be called wherever a point is passed. True if it was the last thing that happened. */
  readonly reaches: (point: CrashPoint) => boolean
  /** Work that must be cut off at the end. */
  readonly running: Set<AbortController>
  /** What was begun before the end goes on in the database for a moment: resolves when nothing does. */
  readonly begun: Set<Promise<unknown>>
}

export function createLife(): Life {
  const running = new Set<AbortController>()
  let isOver = false
  let chosen: CrashPoint | undefined
  let finish: () => void = () => {}
  const end = new Promise<void>((resolve) => {
    finish = resolve
  })
  return {
    isOver: () => isOver,
    end,
    endAfter(point) {
      chosen = point
      return () => {
        chosen = undefined
      }
    },
    reaches(point) {
      if (isOver || chosen !== point) return false
      isOver = true
      for (const abort of running) abort.abort(new Error('The test ended the process here.'))
      finish()
      return true
    },
    running,
    begun: new Set(),
  }
}

/** What somebody waits for who is no longer there. */
export function never<Result>(): Promise<Result> {
  return new Promise(() => {})
}
