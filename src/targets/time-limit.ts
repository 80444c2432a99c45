/**
 * Runs the work with a signal that is aborted with the given one, or when the time is over. Not `AbortSignal.any` with
 * `AbortSignal.timeout`: versions of Node let them be collected as garbage before their time, and then they never fire.
 */
export async function withTimeLimit<Value>(
  seconds: number,
  signal: AbortSignal,
  work: (limited: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const limit = new AbortController()
  const abort = (): void => limit.abort()
  const timer = setTimeout(abort, seconds * 1000)
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    return await work(limit.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}
