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
/**
 * An AbortController whose signal is made when somebody asks for it: of the many events that could be stopped hardly one is, and making
 * signals and linking them would cost each of them more than its own bookkeeping.
 */
export class LazyAbort {
  #controller: AbortController | undefined
  #listeners: Set<(reason: unknown) => void> | undefined
  #reason: { readonly reason: unknown } | undefined
  readonly #unlink: (() => void) | undefined

  /** Aborted with any of the others as well, until it is unlinked. */
  constructor(...others: readonly LazyAbort[]) {
    const links = others.map((other) => other.onAbort((reason) => this.abort(reason)))
    if (links.length > 0) this.#unlink = () => links.forEach((unlink) => unlink())
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#reason !== undefined) this.#controller.abort(this.#reason.reason)
    }
    return this.#controller.signal
  }

  get isAborted(): boolean {
    return this.#reason !== undefined
  }

  get reason(): unknown {
    return this.#reason?.reason
  }

  abort(reason?: unknown): void {
    if (this.#reason !== undefined) return
    this.#reason = { reason }
    this.#controller?.abort(reason)
    for (const listener of this.#listeners ?? []) listener(reason)
  }

  /** Calls back once, at once if that has happened. Answers with a function that forgets the listener. */
  onAbort(listener: (reason: unknown) => void): () => void {
    if (this.#reason !== undefined) {
      listener(this.#reason.reason)
      return () => {}
    }
    this.#listeners ??= new Set()
    this.#listeners.add(listener)
    return () => void this.#listeners?.delete(listener)
  }

  /** Lets go of the others, so that they do not gather listeners. */
  unlink(): void {
    this.#unlink?.()
  }
}

/** Whatever has a signal. */
export type Abortable = { readonly signal: AbortSignal }

export function isAborted(abort: Abortable): boolean {
  return abort instanceof LazyAbort ? abort.isAborted : abort.signal.aborted
}

/** The same as the method, of anything that has a signal. */
export function onAbort(abort: Abortable, listener: (reason: unknown) => void): () => void {
  if (abort instanceof LazyAbort) return abort.onAbort(listener)
  const { signal } = abort
  const tell = (): void => listener(signal.reason)
  if (signal.aborted) tell()
  else signal.addEventListener('abort', tell, { once: true })
  return () => signal.removeEventListener('abort', tell)
}
