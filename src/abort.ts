/** An abort controller of its own that is also aborted when another signal is. `AbortSignal.any` can be collected before it fires. */
export type LinkedAbort = {
  readonly abort: AbortController
  /** Lets go of the other signal, so that it does not gather listeners. */
  readonly unlink: () => void
}

export function linkedAbort(signal: AbortSignal | undefined): LinkedAbort {
  const abort = new AbortController()
  const forward = (): void => abort.abort(signal?.reason)
  if (signal?.aborted === true) forward()
  else signal?.addEventListener('abort', forward, { once: true })
  return { abort, unlink: () => signal?.removeEventListener('abort', forward) }
}

/** Rejects with the signal's reason once it is aborted; never resolves. */
export function rejectedOnAbort(signal: AbortSignal): Promise<never> {
  const aborted = new Promise<never>((_, reject) => {
    const stop = (): void => reject(signal.reason as Error)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  // Whoever races with it may have won long before.
  aborted.catch(() => {})
  return aborted
}
