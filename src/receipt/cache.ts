import type { EventKey } from './receipt.ts'

/**
 * Remembers receipts in front of the store, so that a duplicate need not ask it. It may forget anything at any time: that costs speed
 * and nothing else. It must never know what the store has not said is durable, which is why only `remember` tells it anything.
 */
export type Cache = {
  /**
   * What is remembered of this event. Undefined if nothing is, or if it cannot be found out at once. Never rejects. A promise only where
   * something has to be waited for: each is a turn of the event loop more for the delivery.
   */
  readonly recall: (key: CacheKey) => RememberedReceipt | undefined | Promise<RememberedReceipt | undefined>
  /** Takes a receipt that the store has said is durable. Nobody waits for it, and it never throws. */
  readonly remember: (key: CacheKey, receipt: RememberedReceipt) => void
  /** How long it remembers, at most. */
  readonly rememberSeconds: number
  /** Tells of trouble and of its end, once for each episode. */
  readonly subscribe: (listener: (notice: CacheNotice) => void) => void
}

/** An event of one ledger: what another ledger remembers is never found under it. */
export type CacheKey = EventKey & { readonly ledger: string }

/** What is known of an event that was recorded. */
export type RememberedReceipt = {
  readonly receiptId: string
  /** SHA-256 of the body that came first, to tell a copy from a mutated one. */
  readonly bodyHash: Uint8Array
}

/** What a cache has to say of itself. */
export type CacheNotice = {
  readonly level: 'info' | 'warning'
  readonly message: string
  readonly error?: string
}

/**
 * Every mistake in the option. A copy of what the ledger has pruned is to be rare, so receipts are kept for longer than they are remembered.
 * Events that are known for ever are no matter.
 */
export function cacheMistakes(cache: unknown, keepDaysOf: ReadonlyMap<string, number | 'forever'>): readonly string[] {
  if (cache === undefined) return []
  const { recall, rememberSeconds } = (cache ?? {}) as Partial<Cache>
  if (typeof recall !== 'function' || rememberSeconds === undefined) {
    return ['cache is not a cache: give memoryCache() or redisCache(client).']
  }
  const kept = [...keepDaysOf].flatMap(([source, days]) => (days === 'forever' ? [] : [{ source, days }]))
  const [shortest] = kept.toSorted((one, other) => one.days - other.days)
  if (shortest === undefined) return []
  const most = (shortest.days * 86_400) / 2
  if (rememberSeconds <= most) return []
  return [
    `the cache remembers for ${rememberSeconds} s, but receipts of ${shortest.source} are kept for ${shortest.days} days: give the cache a rememberSeconds of at most ${most}.`,
  ]
}
