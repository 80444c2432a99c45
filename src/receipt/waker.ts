import type { Clock } from '../clock.ts'

/** Tells workers that something is due: the one in this process at once, those of other processes through the store. */
export type Waker = {
  /**
   * Without a worker here it resolves when the others were told, so that whoever waits for it knows. What is newly recorded needs no call:
   * its commit tells them.
   */
  readonly wake: () => Promise<void>
}

export type WakerOptions = {
  readonly local: { readonly isRunning: () => boolean; readonly wake: () => void }
  readonly wakeOthers: () => Promise<void>
  readonly clock: Clock
  readonly onError: (error: unknown) => void
  /** Calls to other processes closer together than this become one. */
  readonly pauseMilliseconds?: number
}

export function createWaker({ local, wakeOthers, clock, onError, pauseMilliseconds = 20 }: WakerOptions): Waker {
  let calling: Promise<void> | undefined
  let next: Promise<void> | undefined

  return {
    wake() {
      const told = tellOthers()
      if (!local.isRunning()) return told
      local.wake()
      return Promise.resolve()
    },
  }

  /** A call under way may have been sent before this event was committed, so it does not count for it. */
  function tellOthers(): Promise<void> {
    if (calling === undefined) return call()
    next ??= calling.then(call)
    return next
  }

  function call(): Promise<void> {
    next = undefined
    calling = wakeOthers()
      .catch(onError)
      .then(() => (local.isRunning() ? clock.wait(pauseMilliseconds) : undefined))
      .finally(() => {
        calling = undefined
      })
    return calling
  }
}
