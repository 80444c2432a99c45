import { linkedAbort } from '../abort.ts'

/** Runs the work with a signal that is aborted with the given one, or when the time is over. */
export async function withTimeLimit<Value>(
  seconds: number,
  signal: AbortSignal,
  work: (limited: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const { abort, unlink } = linkedAbort(signal)
  const timer = setTimeout(() => abort.abort(), seconds * 1000)
  try {
    return await work(abort.signal)
  } finally {
    clearTimeout(timer)
    unlink()
  }
}
