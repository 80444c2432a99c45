import type { NewReceipt } from '../receipt/receipt.ts'

/** What is seen of a handler that is not ours. */
export type ShadowStore = {
  /** The database's clock. */
  readonly now: () => Promise<Date>
  /** Writes calls that have begun, or ended since: whichever is known. The same call may be written again and again. */
  readonly noteCalls: (calls: readonly NotedCall[]) => Promise<void>
  /**
   * Receipts of events that the other handler has processed; nobody here will run them. Those that are known already are left alone.
   * Answers with those that somebody else is recording in this moment, to be tried again.
   */
  readonly recordProcessed: (receipts: readonly NewReceipt[]) => Promise<readonly NewReceipt[]>
  /** The calls of one source, by event, in the order of their ids. */
  readonly readEvents: (question: ShadowQuestion) => Promise<readonly ShadowedEvent[]>
  /** How many deliveries there were, by what was thought of them and whether the handler said 2xx. */
  readonly countDeliveries: (scope: ShadowScope) => Promise<readonly ShadowCount[]>
  /** The newest deliveries whose signature does not hold, and that the handler said 2xx to. */
  readonly findAcceptedForgeries: (scope: ShadowScope, limit: number) => Promise<readonly AcceptedForgery[]>
}

/** How a call of the handler ended: with an answer, with an error, or without the sender waiting for it. */
export type ShadowEnding = 'answered' | 'failed' | 'disconnected'

/**
 * What is thought of a delivery. `handshake`: a greeting of the provider, which is no event. `unread`: not enough of it was seen to say.
 * `missed`: that it came is all that is known.
 */
export type ShadowVerdict = 'authentic' | 'forged' | 'malformed' | 'handshake' | 'unread' | 'missed'

export type NotedCall = {
  /** A UUID of the delivery. */
  readonly id: string
  /** Which of its events it is. */
  readonly place: number
  readonly environment: string
  readonly source: string
  readonly eventId: string | undefined
  readonly type: string | undefined
  readonly verdict: ShadowVerdict
  /** Why it is not believed. */
  readonly reason: string | undefined
  readonly worker: string
  /** Times by the database's clock. */
  readonly startedAt: Date
  readonly ended: { readonly at: Date; readonly ending: ShadowEnding; readonly status: number | undefined } | undefined
  /** How many deliveries it stands for: more than one only of those that were missed. */
  readonly deliveries: number
}

export type ShadowScope = {
  readonly environment: string
  readonly source: string
  /** Only calls that began since. */
  readonly since: Date
}

export type ShadowQuestion = ShadowScope & {
  /** Only events with a greater id. */
  readonly after: string | undefined
  readonly limit: number
}

/** An event that was seen, with the calls of the other handler. */
export type ShadowedEvent = {
  readonly eventId: string
  readonly type: string
  /** In the order in which they began. */
  readonly calls: readonly ShadowCall[]
}

/** One call of the other handler. */
export type ShadowCall = {
  readonly startedAt: Date
  /** Undefined while it runs, and if it never ended. */
  readonly endedAt: Date | undefined
  readonly ending: ShadowEnding | undefined
  /** The status of its answer. */
  readonly status: number | undefined
  /** The process that ran it. */
  readonly worker: string
}

export type ShadowCount = {
  readonly verdict: ShadowVerdict
  /** Whether the handler said 2xx to them. */
  readonly isAccepted: boolean
  readonly deliveries: number
}

/** A delivery that is not authentic, and that the other handler took. */
export type AcceptedForgery = {
  readonly at: Date
  /** Why it is not believed: a reason as in `Verdict`. */
  readonly reason: string
  readonly status: number
  readonly worker: string
}
