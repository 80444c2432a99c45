import type { Redaction } from '../privacy/redaction.ts'
import type { PassedDocument } from '../verify/passed-document.ts'
import type { IdentifiedEvent } from '../verify/provider.ts'

/**
 * Where a receipt stands. `processing` is a `received` or `retrying` one that a worker holds at this moment.
 * `stale`: it was processed, but a newer event had come before. `same_change`: another event had told of the same change.
 */
export type ReceiptStatus =
  | 'received'
  | 'processing'
  | 'processed'
  | 'retrying'
  | 'failed'
  | 'ignored'
  | 'stale'
  | 'same_change'

/** What makes an event one event: of all that is stored, only these three decide. */
export type EventKey = {
  readonly environment: string
  readonly source: string
  readonly eventId: string
}

/** An event that is about to be written. */
export type NewReceipt = EventKey & {
  /** Its `id` is safe to store and equals `eventId`. */
  readonly event: IdentifiedEvent
  readonly body: BodyToStore
  /** Which secret verified it; undefined where nothing was verified. */
  readonly secretIndex: number | undefined
  /** `queued`: for a worker. `inline`: its handlers run now. `ignored`: nothing to do. `failed`: a dead letter from the start. */
  readonly disposition: 'queued' | 'inline' | 'ignored' | 'failed'
  /** Events with the same order key are processed one at a time, in the order of arrival. */
  readonly orderKey: string | undefined
  /** Set when an inline attempt came before: it counts, and its error is kept. */
  readonly adopted?: { readonly attempts: number; readonly delaySeconds: number; readonly error: string }
  /** Set where the signature leaves out the id: whoever has captured a delivery can send its body again under another one. */
  readonly signedBody?: SignedBody | undefined
  /** Set where the source remembers its events for ever: the key may be all that is left of it. */
  readonly isKeyKept?: boolean
}

/** What is remembered of a signed body besides the id it came under. */
export type SignedBody = {
  /** Equal for equal bodies of one environment, source and tenant. */
  readonly key: Uint8Array
  /** Of a body that came before, under another id. `flag`: recorded, and marked as such. `duplicate`: not recorded. */
  readonly whenRepeated: 'flag' | 'duplicate'
}

/** The bytes as they came. The receipts of one batch share one object, and one stored row. */
export type BodyToStore = {
  /** A time-ordered UUID, so that rows of one day lie together. */
  readonly id: string
  readonly content: Uint8Array
  /** SHA-256 of `content`. */
  readonly hash: Uint8Array
  /** Never holds a credential or a signature. */
  readonly headers: readonly (readonly [string, string])[]
  /** All events of the delivery, where that is to be written down with the body. */
  readonly eventIds?: readonly string[]
  /** Its document, where that was parsed already. */
  readonly passed?: PassedDocument
  /** What is written in place of `content` and `headers`, where not all of them may be stored as they are. */
  readonly stored?: StoredForm
}

/** A body as it lies in the database. */
export type StoredForm = {
  readonly content: Uint8Array
  readonly headers: readonly (readonly [string, string])[]
  /** What was left out of it. */
  readonly redaction?: Redaction | undefined
  /** The key that it is encrypted with; undefined if it is not. */
  readonly keyId?: string | undefined
}

/**
 * Told of what turns out to be known before all are recorded, by its place in the list. Whether the others can be recorded does not matter to it.
 */
export type OnKnown = (place: number, recorded: Recorded) => void

/** The answer of the one insert that decides. */
export type Recorded =
  | {
      readonly kind: 'first'
      readonly receiptId: string
      /** The event whose signed body came again under this new id. */
      readonly repeatsEventId?: string
    }
  | {
      readonly kind: 'duplicate'
      readonly receiptId: string
      readonly status: ReceiptStatus
      /** The same event id came with other bytes. */
      readonly isMutated: boolean
      /** Set if it is known by its signed body alone: the id of the event that had it first, whose receipt this is. */
      readonly repeatsEventId?: string
    }
  /** Its signed body is being recorded under another id at this moment, which may yet be rolled back. Nothing was written: ask again. */
  | { readonly kind: 'busy'; readonly receiptId?: undefined }

/**
 * How an event got into the ledger. `backfill`: the provider was asked for it. `import`: taken over from a table of the time before
 * Oncehook, as processed and without a body. `shadow`: processed by a handler that is not ours.
 */
export type ReceiptOrigin = 'webhook' | 'backfill' | 'import' | 'shadow'

/** A receipt as people look at it. */
export type Receipt = EventKey & {
  readonly id: string
  readonly type: string
  readonly deliveryId: string | undefined
  readonly objectId: string | undefined
  readonly occurredAt: Date | undefined
  readonly receivedAt: Date
  readonly status: ReceiptStatus
  readonly attempts: number
  readonly processedAt: Date | undefined
  readonly nextAttemptAt: Date | undefined
  readonly lastError: string | undefined
  /** How often it was delivered, the first time included. */
  readonly deliveries: number
  readonly secretIndex: number | undefined
  /** SHA-256 of the body, in hex. Empty where it is not known how the webhook looked. */
  readonly bodyHash: string
  readonly origin: ReceiptOrigin
  /** The event whose signed body came again under this one's id. */
  readonly repeatsEventId: string | undefined
  /** Since when it is held: it stays, however old it gets. */
  readonly heldAt: Date | undefined
}

/** Which receipts are meant. Everything given must hold. */
export type ReceiptFilter = {
  readonly id?: string
  /** Any of these. */
  readonly ids?: readonly string[]
  readonly source?: string
  readonly eventId?: string
  readonly type?: string
  readonly objectId?: string
  readonly status?: ReceiptStatus | readonly ReceiptStatus[]
  readonly origin?: ReceiptOrigin
  /** `pending`: received, processing or retrying, that is, not yet completed. */
  readonly isPending?: boolean
  /** Whether somebody holds them. */
  readonly isHeld?: boolean
  readonly receivedAfter?: Date
  readonly receivedBefore?: Date
  /** Newest first. Default 50. */
  readonly limit?: number
  /** Only receipts with a smaller id: the last one of the page before. */
  readonly beforeId?: string
}

/** One handler run, also of those that were rolled back. */
export type Attempt = {
  readonly attempt: number
  readonly handler: string
  readonly worker: string
  readonly outcome: AttemptOutcome
  readonly startedAt: Date
  readonly endedAt: Date
  readonly error: string | undefined
}

/** How a receipt ended that was worked off. */
export type Ending = 'processed' | 'stale' | 'same_change'

/** `abandoned`: the worker died or froze and its lease ran out. */
export type AttemptOutcome = 'succeeded' | 'failed' | 'deferred' | 'abandoned'

/** A delivery that was not a plain first acceptance. */
export type NotedDelivery = {
  readonly environment: string
  readonly source: string
  /** Unknown for what was refused before it could be identified. */
  readonly eventId: string | undefined
  readonly deliveryId: string | undefined
  readonly kind: 'duplicate' | 'mutated' | 'replayed_body' | 'forged' | 'malformed' | 'not_allowed'
  readonly at: Date
  readonly status: number
  readonly latencyMilliseconds: number
  readonly detail: string | undefined
  readonly secretIndex: number | undefined
}

/** A message of the outbox, as people look at it. */
export type OutboxMessage = {
  readonly id: string
  readonly target: string
  /** What the receiver dedupes on. */
  readonly key: string
  /** Of the event whose handler added it; undefined for an alert. */
  readonly receiptId: string | undefined
  readonly status: 'pending' | 'published' | 'failed'
  readonly attempts: number
  readonly createdAt: Date
  readonly publishedAt: Date | undefined
  readonly lastError: string | undefined
}

/** One line of a receipt's life. */
export type TimelineEntry =
  | { readonly kind: 'received'; readonly at: Date; readonly receipt: Receipt }
  | { readonly kind: 'delivery'; readonly at: Date; readonly delivery: NotedDelivery }
  | { readonly kind: 'attempt'; readonly at: Date; readonly attempt: Attempt }
  | {
      readonly kind: 'effect'
      readonly at: Date
      readonly key: string
      readonly handler: string
      readonly result: string | undefined
    }
  | { readonly kind: 'version'; readonly at: Date; readonly key: string; readonly version: string }
  | { readonly kind: 'message'; readonly at: Date; readonly message: OutboxMessage }
  | { readonly kind: 'replay' | 'hold' | 'release'; readonly at: Date; readonly by: string; readonly why: string }
