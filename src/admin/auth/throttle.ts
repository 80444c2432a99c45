import type { Clock } from '../../clock.ts'

/** Counts failed logins, so that nobody tries tokens by the thousand. */
export type Throttle = {
  readonly isOpenFor: (address: string) => boolean
  readonly noteFailure: (address: string) => void
}

const mostFailures = 20
const windowMilliseconds = 60_000
/** Whoever has so many addresses is not held up by this, but does not fill the memory either. */
const mostAddresses = 10_000

export function createThrottle(clock: Pick<Clock, 'now'>): Throttle {
  const failures = new Map<string, { readonly since: number; count: number }>()
  const current = (address: string): { readonly since: number; count: number } | undefined => {
    const known = failures.get(address)
    if (known !== undefined && clock.now().getTime() - known.since > windowMilliseconds) failures.delete(address)
    return failures.get(address)
  }
  return {
    isOpenFor: (address) => (current(address)?.count ?? 0) < mostFailures,
    noteFailure(address) {
      const known = current(address)
      if (known !== undefined) known.count += 1
      else {
        if (failures.size >= mostAddresses) failures.clear()
        failures.set(address, { since: clock.now().getTime(), count: 1 })
      }
    },
  }
}
