import { failed } from './failure.ts'

/** Resolves at the first request to stop, whoever makes it. A second one ends the process at once. */
export function untilAskedToStop(): Promise<'SIGINT' | 'SIGTERM'> {
  return new Promise((resolve) => {
    let isAsked = false
    const onSignal = (signal: 'SIGINT' | 'SIGTERM'): void => {
      if (isAsked) process.exit(1)
      isAsked = true
      resolve(signal)
    }
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
  })
}

/** Aborted at the first request to stop, for work that goes on where it stopped when it is called again. */
export function interruption(): AbortSignal {
  const abort = new AbortController()
  void untilAskedToStop().then(() => abort.abort(failed('Stopped. The same command goes on where this one was.')))
  return abort.signal
}
