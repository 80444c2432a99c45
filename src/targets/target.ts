/** A message of the outbox on its way out. */
export type OutgoingMessage = {
  /** Of the outbox row. */
  readonly id: string
  /** The same for every attempt and every replay: what the receiver dedupes on. At most 255 characters. */
  readonly idempotencyKey: string
  /** The name under which the target stands in `createInbox({ targets })`. */
  readonly target: string
  readonly message: unknown
  /** `message` as the JSON text that was stored. */
  readonly json: string
  /** 1 for the first. */
  readonly attempt: number
  readonly createdAt: Date
  /**
   * The event whose handler added it. An alert is of no event and has no receipt: its `source` is the one it is about, or `*`, and its
   * `eventId` names the alert.
   */
  readonly cause: { readonly source: string; readonly eventId: string; readonly receiptId: string | undefined }
  /** The span that it is part of (W3C Trace Context), where deliveries are traced: hand it on. */
  readonly traceparent?: string
}

/** What became of one message. `permanent`: no further attempt will help, it becomes a dead letter. */
export type MessageResult =
  | { readonly kind: 'published' }
  | {
      readonly kind: 'failed'
      readonly error: string
      readonly retry: 'later' | 'permanent'
      readonly afterSeconds?: number
    }

/** Where the relay delivers to. At least once: a message may come again after a crash, with the same idempotency key. */
export type Target = {
  readonly kind: string
  /** Messages handed to one call of `deliver`. */
  readonly batchSize: number
  /** Calls of `deliver` under way at once. */
  readonly concurrency: number
  /** A call that takes longer is aborted, and its messages are tried again. */
  readonly timeoutSeconds: number
  /** Answers for each message, in their order. What it throws is a failure of all of them. */
  readonly deliver: (messages: readonly OutgoingMessage[], signal: AbortSignal) => Promise<readonly MessageResult[]>
  /** Lets go of what the target opened itself. */
  readonly close?: () => Promise<void>
}
