import { type Abortable, isAborted, onAbort } from '../abort.ts'

/** A fixed number of places; who finds none waits in line, without holding anything. */
export type Slots = {
  /** False if whoever asks now would have to wait. */
  readonly hasFree: () => boolean
  /** Resolves to a function that gives the place back, or to undefined if that was aborted first. */
  readonly take: (abort?: Abortable) => Promise<(() => void) | undefined>
}

/** Handlers hold a database connection each, so only so many may run at once in this process. */
export function createSlots(count: number): Slots {
  let free = count
  const line: (() => void)[] = []

  return {
    hasFree: () => free > 0,
    async take(abort) {
      if (abort !== undefined && isAborted(abort)) return undefined
      if (free > 0) free -= 1
      else if (!(await waitInLine(abort))) return undefined
      return giveBackOnce()
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
      else next()
    }
  }
}
