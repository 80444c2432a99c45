/** The time of this process. Only for signatures' time windows and for waiting; whatever is stored or compared uses the database's clock. */
export type Clock = {
  readonly now: () => Date
  /** Resolves after the delay, or at once when the signal is aborted. Does not keep the process alive. */
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>
}

export const systemClock: Clock = {
  now: () => new Date(),
  wait: (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve()
      const finish = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', finish)
        resolve()
      }
      const timer = setTimeout(finish, milliseconds)
      timer.unref()
      signal?.addEventListener('abort', finish, { once: true })
    }),
}

/** Calls once after the delay, unless the returned function is called before. Does not keep the process alive. */
export function callAfter(clock: Clock, milliseconds: number, call: () => void): () => void {
  if (clock === systemClock) {
    // Every delivery sets some: a timer costs a tenth of an abort controller with what listens to it.
    const timer = setTimeout(call, milliseconds).unref()
    return () => clearTimeout(timer)
  }
  const cancelled = new AbortController()
  void clock.wait(milliseconds, cancelled.signal).then(() => {
    if (!cancelled.signal.aborted) call()
  })
  return () => cancelled.abort()
}
