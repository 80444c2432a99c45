import type { Clock } from '../clock.ts'

/** Renews the leases of what is running, with one statement for all, for as long as anything runs. */
export type LeaseKeeper<Lease> = {
  /** Returns a function that lets the lease go. `onLost` is called at most once. */
  readonly keep: (lease: Lease, onLost: () => void) => () => void
}

export type LeaseKeeperOptions<Lease> = {
  readonly idOf: (lease: Lease) => string
  readonly renew: (leases: readonly Lease[], leaseSeconds: number) => Promise<readonly string[]>
  readonly leaseSeconds: number
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}

export function createLeaseKeeper<Lease>({
  renew,
  idOf,
  leaseSeconds,
  clock,
  onError,
}: LeaseKeeperOptions<Lease>): LeaseKeeper<Lease> {
  const kept = new Map<string, { readonly lease: Lease; readonly onLost: () => void }>()
  let isBeating = false

  return {
    keep(lease, onLost) {
      const entry = { lease, onLost }
      kept.set(idOf(lease), entry)
      if (!isBeating) void beat()
      return () => {
        if (kept.get(idOf(lease)) === entry) kept.delete(idOf(lease))
      }
    },
  }

  /** Three beats in one lease: two may be missed. */
  async function beat(): Promise<void> {
    isBeating = true
    while (kept.size > 0) {
      await clock.wait((leaseSeconds * 1000) / 3)
      await renewAll()
    }
    isBeating = false
  }

  async function renewAll(): Promise<void> {
    const asked = [...kept.values()]
    if (asked.length === 0) return
    try {
      const held = new Set(
        await renew(
          asked.map(({ lease }) => lease),
          leaseSeconds,
        ),
      )
      for (const entry of asked) {
        const isStillKept = kept.get(idOf(entry.lease)) === entry
        if (isStillKept && !held.has(idOf(entry.lease))) entry.onLost()
      }
    } catch (error) {
      // The fence protects what a missed beat endangers.
      onError(error)
    }
  }
}
