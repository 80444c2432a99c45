import type { EventKey } from './receipt/receipt.ts'
import type { ForgedReason } from './verify/verdict.ts'

/** What happened, for logs, metrics and people. Never holds a secret, a signature or a payload. */
export type InboxEvent =
  | DeliveryEvent
  | HandlerEvent
  | EffectEvent
  | MessageEvent
  | UpkeepEvent
  | CaptureEvent
  | InboxNotice

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
  /** Of the request: its trace id, its request id, or else one of our own. The handler runs that it leads to have the same. */
  readonly correlationId: string
  readonly status: number
  readonly latencyMilliseconds: number
  /** How long the provider waits for the answer, where that is known. */
  readonly deadlineSeconds?: number
  /** Which of the source's secrets verified it; 0 is the first. */
  readonly secretIndex?: number
  readonly reason?: ForgedReason | 'mutated' | 'replayed_body' | 'not_allowed' | 'no_handler' | 'dead_letter'
  /** The event whose signed body came again under a new id. */
  readonly repeatsEventId?: string
  /** For the developer: the likely cause of a refusal, or what went wrong. */
  readonly detail?: string
}

/** One for every handler run. `abandoned`: its worker died or froze, which the one that took its place tells. */
export type HandlerEvent = EventKey & {
  readonly kind: 'handler'
  readonly outcome: 'succeeded' | 'retrying' | 'deferred' | 'dead' | 'rolled_back' | 'lease_lost' | 'abandoned'
  readonly handler: string
  readonly type: string
  readonly objectId?: string
  readonly receiptId?: string
  /** Of the delivery that was recorded. */
  readonly correlationId: string
  readonly attempt: number
  readonly tookMilliseconds: number
  /** Set on the run with which the event has come to its end. */
  readonly endsAs?: 'processed' | 'failed'
  /** From the receipt to the commit, for a queued run that succeeded. */
  readonly lagMilliseconds?: number
  readonly nextAttemptInSeconds?: number
  /** What the endpoint answered, where the event was forwarded. Left out if no answer came. */
  readonly answerStatus?: number
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
  /** Undefined for an alert, which is of no event. */
  readonly receiptId: string | undefined
  readonly attempt: number
  readonly nextAttemptInSeconds?: number
  readonly error?: string
}

/** One for every run of a task of upkeep. `lease_lost`: another process had taken it over. `stopped`: it goes on when there is time again. */
export type UpkeepEvent = {
  readonly kind: 'upkeep'
  readonly task: string
  readonly outcome: 'done' | 'unfinished' | 'stopped' | 'failed' | 'lease_lost'
  readonly tookMilliseconds: number
  /** What was done, by name. */
  readonly counts: Readonly<Record<string, number>>
  readonly error?: string
}

/** One for every request that a capture endpoint of the gateway took. */
export type CaptureEvent = {
  readonly kind: 'capture'
  /** `unrecorded`: the store was away, so that the sender was told to come again. */
  readonly outcome: 'sent' | 'hang' | 'drop' | 'none' | 'unrecorded'
  readonly endpoint: string
  readonly captureId?: string
  readonly method: string
  /** What followed the name of the endpoint. */
  readonly path: string
  readonly bytes: number
  readonly status?: number
  /** The rule or automation that answered. */
  readonly rule?: string
  readonly provider?: string
  readonly eventId?: string
  readonly type?: string
  /** Why it could not be taken whole. */
  readonly problem?: 'too_large' | 'too_slow' | 'cut_short'
  readonly tookMilliseconds: number
}

/** Something about the inbox itself. */
export type InboxNotice = {
  readonly kind: 'notice'
  readonly level: 'info' | 'warning' | 'error'
  readonly message: string
  readonly error?: string
}

/** Is told what happens. */
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
