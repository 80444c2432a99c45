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
