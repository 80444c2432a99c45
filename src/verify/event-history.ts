import type { DeliveryInput } from '../delivery/delivery.ts'

/**
 * What a provider says that it has sent, by its API. It is asked with the user's own credentials, and that is what makes the answer
 * authentic: nothing of it has a signature to check.
 */
export type EventHistory = {
  /** For people: `the events of Stripe`. */
  readonly name: string
  /** How many days back the provider tells of. Undefined: nobody knows. */
  readonly daysKept: number | undefined
  /**
   * The next part of what happened from `from` until before `to`, oldest first. Asked with a cursor that it gave, in this process or
   * another one, it goes on from there.
   */
  readonly list: (question: HistoryQuestion) => Promise<HistoryPage>
}

/** Which part of a history is asked for. */
export type HistoryQuestion = {
  readonly from: Date
  readonly to: Date
  /** Undefined for the first part. */
  readonly cursor: string | undefined
  /** The types that are asked for, `*` at the end meaning any; undefined for all. A history may give others too. */
  readonly types: readonly string[] | undefined
  readonly signal: AbortSignal
}

/** A part of a history. */
export type HistoryPage = {
  readonly events: readonly HistoricEvent[]
  /** Undefined once there is no more. */
  readonly next: string | undefined
}

/** An event that a provider says it has sent. */
export type HistoricEvent = {
  /** The id that its webhook has in this inbox. */
  readonly id: string
  readonly type: string
  readonly occurredAt: Date | undefined
  /** As much of its delivery as is known without `fetch`: if the source can identify that, its ids count, with tenants and all. */
  readonly outline?: DeliveryInput
  /**
   * Where the provider tells of objects and not of events: the event counts as known if the ledger has any event of the object that
   * happened since.
   */
  readonly object?: { readonly id: string; readonly since: Date }
  /** The delivery that its webhook was, as far as the provider can tell. Headers need no signature. */
  readonly fetch: (signal: AbortSignal) => Promise<DeliveryInput>
  /** Asks the provider to send it again. */
  readonly redeliver?: (signal: AbortSignal) => Promise<void>
}
