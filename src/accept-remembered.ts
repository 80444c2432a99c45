import type { Accept } from './accept.ts'
import type { Clock } from './clock.ts'
import type { EventOutcome } from './delivery/outcome.ts'
import type { InboxListener } from './events.ts'
import type { Cache, RememberedReceipt } from './receipt/cache.ts'
import { createLedgerName } from './receipt/ledger-name.ts'
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
 * is not remembered, or not at once, is asked of the store.
 */
export function withCache<Tx>(cache: Cache | undefined, parts: RememberedParts<Tx>): Accept {
  const { accept, store, ready, clock, emit } = parts
  if (cache === undefined) return accept
  const ledger = createLedgerName({ read: store.ledgerName, clock })
  let isOpen = false
  cache.subscribe((notice) => emit({ kind: 'notice', ...notice }))

  return async function acceptRemembering(event) {
    // Heard before the store is asked: a receipt is never remembered for a ledger that was restored after its commit.
    const name = isOpen ? ledger.current() : await open()
    if (name === undefined) return accept(event)
    const { environment, source, eventId, body } = event.receipt
    const key = { ledger: name, environment, source, eventId }
    const known = await recall(() => cache.recall(key))
    if (known !== undefined) {
      const { receiptId, bodyHash } = known
      return { kind: 'duplicate', receiptId, eventId, isMutated: Buffer.compare(bodyHash, body.hash) !== 0 }
    }
    const outcome = await accept(event)
    const receiptId = durableReceiptOf(outcome)
    if (receiptId !== undefined) cache.remember(key, { receiptId, bodyHash: body.hash })
    return outcome
  }

  /** Before the first delivery the name is waited for, as the schema is. A store that is away is for `accept` to tell of. */
  async function open(): Promise<string | undefined> {
    try {
      await ready()
    } catch {
      return undefined
    }
    await ledger.ask()
    isOpen = true
    return ledger.current()
  }
}

/** A cache that breaks its promise costs speed, not the delivery. */
async function recall(ask: () => Promise<RememberedReceipt | undefined>): Promise<RememberedReceipt | undefined> {
  try {
    return await ask()
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
