/** A fixed number of places; who finds none waits in line, without holding anything. */
export type Slots = {
  /** False if whoever asks now would have to wait. */
  readonly hasFree: () => boolean
  /** Resolves to a function that gives the place back, or to undefined if the signal was aborted first. */
  readonly take: (signal?: AbortSignal) => Promise<(() => void) | undefined>
}

/** Handlers hold a database connection each, so only so many may run at once in this process. */
export function createSlots(count: number): Slots {
  let free = count
  const line: (() => void)[] = []

  return {
    hasFree: () => free > 0,
    async take(signal) {
      if (signal?.aborted === true) return undefined
      if (free > 0) free -= 1
      else if (!(await waitInLine(signal))) return undefined
      return giveBackOnce()
    },
  }

  function waitInLine(signal: AbortSignal | undefined): Promise<boolean> {
    return new Promise((resolve) => {
      const enter = (): void => {
        signal?.removeEventListener('abort', leave)
        resolve(true)
      }
      const leave = (): void => {
        line.splice(line.indexOf(enter), 1)
        resolve(false)
      }
      line.push(enter)
      signal?.addEventListener('abort', leave, { once: true })
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
