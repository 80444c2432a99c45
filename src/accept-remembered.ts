import type { Accept, EventToAccept } from './accept.ts'
import type { Clock } from './clock.ts'
import type { EventOutcome } from './delivery/outcome.ts'
import type { InboxListener } from './events.ts'
import type { Cache, CacheKey, RememberedReceipt } from './receipt/cache.ts'
import { createLedgerName, type LedgerName } from './receipt/ledger-name.ts'
import { createStormMemory } from './receipt/storm-memory.ts'
import { createTurn, type InTurn } from './receipt/turn.ts'
import type { Store } from './store/store.ts'

export type RememberedParts<Tx> = {
  readonly accept: Accept
  readonly store: Pick<Store<Tx>, 'ledgerName'>
  /** Resolves when the schema is there. */
  readonly ready: () => Promise<void>
  readonly clock: Clock
  readonly emit: InboxListener
}

/**
 * Answers a duplicate from what is remembered, and remembers what has become durable. The outcomes are those of `accept` alone: whatever
 * is not remembered, or not at once, is asked of the store. Without a cache of the user's this is done in storms of duplicates only.
 */
export function withCache<Tx>(cache: Cache | undefined, parts: RememberedParts<Tx>): Accept {
  const ledger = createLedgerName({ read: parts.store.ledgerName, clock: parts.clock })
  return cache === undefined ? rememberInStorms(parts, ledger) : rememberAlways(cache, parts, ledger)
}

function rememberAlways<Tx>(cache: Cache, parts: RememberedParts<Tx>, ledger: LedgerName): Accept {
  const { accept, ready, emit } = parts
  const inTurn = createTurn()
  let isOpen = false
  cache.subscribe((notice) => emit({ kind: 'notice', ...notice }))
  const acceptNow: Accept = (event) => acceptOrRecall({ cache, accept, ledger: ledger.current(), inTurn }, event)
  return (event) => (isOpen ? acceptNow(event) : open().then(() => acceptNow(event)))

  /** Before the first delivery the name is waited for, as the schema is. A store that is away is for `accept` to tell of. */
  async function open(): Promise<void> {
    try {
      await ready()
    } catch {
      return
    }
    await ledger.ask()
    isOpen = true
  }
}

/** While most of what comes is new, all that this costs is to count. */
function rememberInStorms<Tx>({ accept, clock }: RememberedParts<Tx>, ledger: LedgerName): Accept {
  const storm = createStormMemory({ clock })
  const inTurn = createTurn()
  return (event) => {
    const { cache } = storm
    const accepted =
      cache === undefined ? accept(event) : acceptOrRecall({ cache, accept, ledger: ledger.current(), inTurn }, event)
    return accepted.then((outcome) => {
      storm.learn(outcome.kind === 'duplicate')
      return outcome
    })
  }
}

type Remembering = {
  readonly cache: Cache
  readonly accept: Accept
  /** Heard before the store is asked: a receipt is never remembered for a ledger that was restored after its commit. */
  readonly ledger: string | undefined
  readonly inTurn: InTurn
}

function acceptOrRecall(remembering: Remembering, event: EventToAccept): Promise<EventOutcome> {
  const { cache, accept, ledger, inTurn } = remembering
  if (ledger === undefined) return accept(event)
  const { environment, source, eventId } = event.receipt
  const key = { ledger, environment, source, eventId }
  const known = recall(cache, key)
  return known instanceof Promise ? known.then(goOn) : goOn(known)

  function goOn(remembered: RememberedReceipt | undefined): Promise<EventOutcome> {
    if (remembered === undefined) return acceptAndRemember(remembering, key, event)
    const { receiptId, bodyHash } = remembered
    const isMutated = Buffer.compare(bodyHash, event.receipt.body.hash) !== 0
    return inTurn({ kind: 'duplicate', receiptId, eventId, isMutated })
  }
}

async function acceptAndRemember(
  { cache, accept }: Pick<Remembering, 'cache' | 'accept'>,
  key: CacheKey,
  event: EventToAccept,
): Promise<EventOutcome> {
  const outcome = await accept(event)
  const receiptId = durableReceiptOf(outcome)
  if (receiptId !== undefined) cache.remember(key, { receiptId, bodyHash: event.receipt.body.hash })
  return outcome
}

/** A cache that breaks its promise costs speed, not the delivery. */
function recall(cache: Cache, key: CacheKey): ReturnType<Cache['recall']> {
  try {
    const known = cache.recall(key)
    return known instanceof Promise ? known.catch(() => undefined) : known
  } catch {
    return undefined
  }
}

/** The receipt that the store holds with the id and the body of this delivery, if the outcome says that there is one. */
function durableReceiptOf(outcome: EventOutcome): string | undefined {
  switch (outcome.kind) {
    case 'accepted':
    case 'processed':
      return outcome.receiptId
    case 'ignored':
      return outcome.receiptId
    case 'duplicate':
      // Of a mutated copy the first body is not known here, and a repeated body has no receipt under this id.
      return outcome.isMutated || outcome.repeatsEventId !== undefined ? undefined : outcome.receiptId
    case 'failed':
    case 'unavailable':
      return undefined
  }
}
