import { type Abortable, isAborted, onAbort } from '../abort.ts'

/** A fixed number of places; who finds none waits in line, without holding anything. */
export type Slots = {
  /** False if whoever asks now would have to wait. */
  readonly hasFree: () => boolean
  /** Resolves to a function that gives the place back, or to undefined if that was aborted first. */
  readonly take: (abort?: Abortable) => Promise<(() => void) | undefined>
  /** The line for whoever joins it now: tells at any time how many are still ahead, and how many of those have gone. */
  readonly line: () => () => { readonly ahead: number; readonly passed: number }
}

/** Handlers hold a database connection each, so only so many may run at once in this process. */
export function createSlots(count: number): Slots {
  let free = count
  let gone = 0
  const line: (() => void)[] = []

  return {
    hasFree: () => free > 0,
    async take(abort) {
      if (abort !== undefined && isAborted(abort)) return undefined
      if (free > 0) free -= 1
      else if (!(await waitInLine(abort))) return undefined
      return giveBackOnce()
    },
    line() {
      const before = line.length
      const goneBefore = gone
      return () => {
        const passed = Math.min(before, gone - goneBefore)
        return { ahead: before - passed, passed }
      }
    },
  }

  function waitInLine(abort: Abortable | undefined): Promise<boolean> {
    return new Promise((resolve) => {
      const enter = (): void => {
        forget?.()
        resolve(true)
      }
      const leave = (): void => {
        line.splice(line.indexOf(enter), 1)
        gone += 1
        resolve(false)
      }
      line.push(enter)
      const forget = abort && onAbort(abort, leave)
    })
  }

  function giveBackOnce(): () => void {
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      const next = line.shift()
      if (next === undefined) free += 1
      else {
        gone += 1
        next()
      }
    }
  }
}
