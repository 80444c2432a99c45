import type { Answer } from '../verify/provider.ts'
import type { ForgedReason } from '../verify/verdict.ts'

/** Set if the event's signed body came before, under the id that it names. */
export type Repetition = { readonly repeatsEventId?: string }

/** What became of one event of a delivery. */
export type EventOutcome =
  /** Durably recorded; a worker will process it. */
  | ({ readonly kind: 'accepted'; readonly receiptId: string; readonly eventId: string } & Repetition)
  /** Its handlers ran and committed. `answer` is what a handler wants the provider to be told. */
  | ({
      readonly kind: 'processed'
      readonly receiptId: string
      readonly eventId: string
      readonly answer?: Answer
    } & Repetition)
  /** It was recorded before. `isMutated`: this copy had other bytes. `repeatsEventId`: it is known by its signed body alone. */
  | ({
      readonly kind: 'duplicate'
      readonly receiptId: string
      readonly eventId: string
      readonly isMutated: boolean
    } & Repetition)
  /** Not on the source's allowlist (nothing recorded), or no handler is there for it (recorded as ignored). */
  | ({
      readonly kind: 'ignored'
      readonly receiptId?: string
      readonly eventId: string
      readonly reason: 'not_allowed' | 'no_handler'
    } & Repetition)
  /** An inline handler failed. `rolled_back`: nothing is stored, the provider has to send it again. `dead_letter`: recorded as failed. */
  | ({ readonly kind: 'failed'; readonly eventId: string; readonly stored: 'rolled_back' | 'dead_letter' } & Repetition)
  /** It could not be made durable, or a copy is still running: the provider has to send it again. */
  | {
      readonly kind: 'unavailable'
      readonly reason: 'store' | 'busy' | 'secret_lookup'
      readonly retryAfterSeconds: number
    }

/** What became of a delivery. A batch is a list of outcomes and one answer. */
export type Outcome =
  | EventOutcome
  | { readonly kind: 'batch'; readonly outcomes: readonly EventOutcome[] }
  | { readonly kind: 'handshake'; readonly answer: Answer }
  | { readonly kind: 'forged'; readonly reason: ForgedReason; readonly hint?: string }
  | { readonly kind: 'malformed'; readonly detail: string }
  | { readonly kind: 'too_large'; readonly limitBytes: number }
  | { readonly kind: 'too_slow' }
  | { readonly kind: 'unsupported_encoding'; readonly encoding: string }
  | { readonly kind: 'method_not_allowed'; readonly allowed: readonly string[] }
  | { readonly kind: 'unknown_source'; readonly source: string }
