import { type Clock, systemClock } from '../clock.ts'
import { invalidOptions } from '../errors.ts'
import type { Cache, CacheKey, RememberedReceipt } from './cache.ts'

/** How much is remembered, and for how long. */
export type MemoryCacheOptions = {
  /** How long a receipt is remembered. Default 300: a storm of copies, not a provider's next retry after an hour. */
  readonly rememberSeconds?: number
  /** How many receipts are remembered at most, some 250 bytes each. Default 50,000. */
  readonly mostReceipts?: number
  /** For tests. */
  readonly clock?: Clock
}

const longestSeconds = 86_400

/**
 * Remembers the receipts that this process has recorded, so that copies of them are answered without the database. What other processes have
 * recorded is not known here: for that there is Redis.
 */
export function memoryCache(options: MemoryCacheOptions = {}): Cache {
  const { rememberSeconds = 300, mostReceipts = 50_000, clock = systemClock } = options
  const mistakes = mistakesIn(rememberSeconds, mostReceipts)
  if (mistakes.length > 0) throw invalidOptions('memoryCache', mistakes)
  // Two generations: the old one is dropped whole, so that nothing has to be sorted or timed.
  let young: Map<string, Entry> = new Map()
  let old: Map<string, Entry> = new Map()

  return {
    rememberSeconds,
    recall(key) {
      const text = textOf(key)
      const entry = young.get(text) ?? old.get(text)
      return entry === undefined || isOver(entry) ? undefined : entry.receipt
    },
    remember(key, receipt) {
      if (young.size >= mostReceipts / 2) {
        old = young
        young = new Map()
      }
      // Buffers out of a pool would keep all of it in memory.
      const kept = { receiptId: receipt.receiptId, bodyHash: Uint8Array.from(receipt.bodyHash) }
      young.set(textOf(key), { receipt: kept, until: clock.now().getTime() + rememberSeconds * 1000 })
    },
    subscribe() {},
  }

  function isOver({ until }: Entry): boolean {
    return clock.now().getTime() >= until
  }
}

type Entry = { readonly receipt: RememberedReceipt; readonly until: number }

/** Lengths keep the parts apart, whatever is in them. */
function textOf({ ledger, environment, source, eventId }: CacheKey): string {
  return `${ledger.length}:${ledger}${environment.length}:${environment}${source.length}:${source}${eventId}`
}

function mistakesIn(rememberSeconds: number, mostReceipts: number): readonly string[] {
  const mistakes: string[] = []
  if (!(rememberSeconds > 0 && rememberSeconds <= longestSeconds)) {
    mistakes.push(`rememberSeconds is ${rememberSeconds}: give more than 0 and at most ${longestSeconds}.`)
  }
  if (!(Number.isInteger(mostReceipts) && mostReceipts >= 2 && mostReceipts <= 10_000_000)) {
    mistakes.push(`mostReceipts is ${mostReceipts}: give a whole number from 2 to 10000000.`)
  }
  return mistakes
}
