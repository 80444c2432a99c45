import type { DeliveryInput } from '../delivery/delivery.ts'
import type { EventHistory, HistoricEvent, HistoryQuestion } from '../verify/event-history.ts'

/** An object that was changed, as a delivery of its source. */
export type ChangedObject = {
  /** As the source's events have it in `objectId`. */
  readonly id: string
  readonly changedAt: Date
  /** The id of the event that is made of it. Stable for one change of one object. */
  readonly eventId: string
  readonly type: string
  /** As the webhook would have been. The source has to find `eventId` in it. */
  readonly delivery: DeliveryInput
}

/** How objects are listed, and which events their changes stand for. */
export type ObjectHistoryOptions = {
  readonly name: string
  /** Oldest change first. */
  readonly list: (
    question: HistoryQuestion,
  ) => Promise<{ readonly objects: readonly ChangedObject[]; readonly next: string | undefined }>
  /** How much earlier than the change an event of the object may say that it happened, and still be taken for it. Default 60. */
  readonly toleranceSeconds?: number
}

/**
 * For providers that keep no log of their events, but can list what was changed. An object that the ledger has no event of since its last
 * change is missing; the event that is made of it tells of its state, not of what happened. Its id is not that of a webhook, so a webhook
 * that comes late runs too: use it with handlers that set states, by `latest`.
 */
export function objectHistory({ name, list, toleranceSeconds = 60 }: ObjectHistoryOptions): EventHistory {
  return {
    name,
    daysKept: undefined,
    async list(question) {
      const { objects, next } = await list(question)
      return { events: objects.map(toEvent), next }
    },
  }

  function toEvent({ id, changedAt, eventId, type, delivery }: ChangedObject): HistoricEvent {
    return {
      id: eventId,
      type,
      occurredAt: changedAt,
      outline: delivery,
      object: { id, since: new Date(changedAt.getTime() - toleranceSeconds * 1000) },
      fetch: () => Promise.resolve(delivery),
    }
  }
}
