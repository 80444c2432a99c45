import type { EventKey } from './receipt/receipt.ts'
import type { ForgedReason } from './verify/verdict.ts'

/** What happened, for logs, metrics and people. Never holds a secret, a signature or a payload. */
export type InboxEvent = DeliveryEvent | HandlerEvent | EffectEvent | MessageEvent | InboxNotice

/** One for every delivery (for every event of a batch). */
export type DeliveryEvent = {
  readonly kind: 'delivery'
  readonly outcome:
    | 'accepted'
    | 'processed'
    | 'duplicate'
    | 'ignored'
    | 'handshake'
    | 'forged'
    | 'malformed'
    | 'refused'
    | 'failed'
    | 'unavailable'
  readonly source: string
  readonly eventId?: string
  readonly type?: string
  readonly objectId?: string
  readonly receiptId?: string
  readonly status: number
  readonly latencyMilliseconds: number
  readonly reason?: ForgedReason | 'mutated' | 'replayed_body' | 'not_allowed' | 'no_handler'
  /** The event whose signed body came again under a new id. */
  readonly repeatsEventId?: string
  /** For the developer: the likely cause of a refusal, or what went wrong. */
  readonly detail?: string
}

/** One for every handler run. */
export type HandlerEvent = EventKey & {
  readonly kind: 'handler'
  readonly outcome: 'succeeded' | 'retrying' | 'deferred' | 'dead' | 'rolled_back' | 'lease_lost'
  readonly handler: string
  readonly type: string
  readonly objectId?: string
  readonly receiptId?: string
  readonly attempt: number
  readonly tookMilliseconds: number
  readonly nextAttemptInSeconds?: number
  readonly error?: string
}

/** One for everything that was passed over: the key was used before, a newer version was there, or another event told of the change. */
export type EffectEvent = EventKey & {
  readonly kind: 'effect'
  readonly outcome: 'skipped' | 'stale' | 'same_change'
  readonly type: string
  readonly handler: string
  readonly key: string
}

/** One for every attempt to send a message of the outbox. */
export type MessageEvent = {
  readonly kind: 'message'
  readonly outcome: 'published' | 'retrying' | 'dead'
  readonly target: string
  readonly messageId: string
  readonly idempotencyKey: string
  readonly source: string
  readonly eventId: string
  readonly receiptId: string
  readonly attempt: number
  readonly nextAttemptInSeconds?: number
  readonly error?: string
}

/** Something about the inbox itself. */
export type InboxNotice = {
  readonly kind: 'notice'
  readonly level: 'info' | 'warning' | 'error'
  readonly message: string
  readonly error?: string
}

export type InboxListener = (event: InboxEvent) => void

/** Where what happens is told, and heard. */
export type EventHub = {
  readonly emit: InboxListener
  /** Returns a function that ends it. */
  readonly subscribe: (listener: InboxListener) => () => void
}

/** Tells every listener. One that throws does not disturb the others, nor the work. */
export function createEventHub(): EventHub {
  const listeners = new Set<InboxListener>()
  return {
    emit(event) {
      for (const listener of listeners) {
        try {
          listener(event)
        } catch {
          // A broken log must not lose a webhook.
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
