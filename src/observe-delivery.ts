import type { Clock } from './clock.ts'
import { type ProviderAnswers, statusOf } from './delivery/answer.ts'
import { deliveryCorrelationId } from './delivery/correlation.ts'
import type { Delivery } from './delivery/delivery.ts'
import type { DeliveryEvent, EventHub } from './events.ts'
import type { DeliveryLog } from './receipt/delivery-log.ts'
import type { MeterLog } from './receipt/meter-log.ts'
import type { NotedDelivery } from './receipt/receipt.ts'
import type { ObservedDelivery } from './receive.ts'
import type { Provider } from './verify/provider.ts'
import type { Writable } from './verify/writable.ts'

export type ObserverParts = {
  readonly emit: EventHub['emit']
  readonly deliveryLog: DeliveryLog
  readonly meterLog: MeterLog
  readonly environment: string
  readonly clock: Clock
}

/** Tells listeners of a delivery, and the logs what they count. */
export function createObserver(parts: ObserverParts): (observed: ObservedDelivery) => void {
  const { emit, deliveryLog, meterLog, environment, clock } = parts
  return (observed) => {
    emit(deliveryEventOf(observed))
    const kind = notedKindOf(observed.outcome)
    if (kind !== undefined && deliveryLog.hasRoomFor(kind)) {
      deliveryLog.note(notedDeliveryOf(observed, { kind, environment, at: clock.now() }))
    }
    const { source, provider, secretIndex, latencyMilliseconds } = observed
    if (secretIndex === undefined) return
    meterLog.note({ source, secretIndex, latencyMilliseconds, deadlineSeconds: provider?.facts.deadlineSeconds })
  }
}

/** What listeners are told of a delivery. */
function deliveryEventOf(observed: ObservedDelivery): DeliveryEvent {
  const { source, outcome, event, secretIndex, latencyMilliseconds } = observed
  const deadlineSeconds = observed.provider?.facts.deadlineSeconds
  const reason = reasonOf(outcome)
  const detail = detailOf(outcome)
  const repeatsEventId = repeatedEventOf(outcome)
  const told: Writable<DeliveryEvent> = {
    kind: 'delivery',
    outcome: labelOf(outcome),
    source,
    correlationId: deliveryCorrelationId(observed.delivery, observed.bodyId),
    status: statusOfObserved(observed),
    latencyMilliseconds,
  }
  if (deadlineSeconds !== undefined) told.deadlineSeconds = deadlineSeconds
  if (secretIndex !== undefined) told.secretIndex = secretIndex
  if (event !== undefined) {
    told.eventId = event.id
    told.type = event.type
    if (event.objectId !== undefined) told.objectId = event.objectId
  }
  if ('receiptId' in outcome && outcome.receiptId !== undefined) told.receiptId = outcome.receiptId
  if (reason !== undefined) told.reason = reason
  if (detail !== undefined) told.detail = detail
  if (repeatsEventId !== undefined) told.repeatsEventId = repeatsEventId
  return told
}

/** What goes into the delivery log. */
function notedDeliveryOf(
  observed: ObservedDelivery,
  { kind, environment, at }: Pick<NotedDelivery, 'kind' | 'environment' | 'at'>,
): NotedDelivery {
  const { source, outcome, event, secretIndex, latencyMilliseconds } = observed
  // A duplicate by its body alone has no receipt of its own: it is part of the life of the event it repeats.
  const repeatsEventId = outcome.kind === 'duplicate' ? outcome.repeatsEventId : undefined
  const detail = repeatsEventId === undefined ? detailOf(outcome) : `It came as event ${event?.id}.`
  return {
    environment,
    source,
    eventId: repeatsEventId ?? event?.id,
    deliveryId: event?.deliveryId,
    kind,
    at,
    status: statusOfObserved(observed),
    latencyMilliseconds,
    detail: outcome.kind === 'forged' ? outcome.reason : detail,
    secretIndex,
  }
}

/** What a provider wants to be answered, for `answerOf`. */
export function answersOf(provider: Provider | undefined, delivery: Delivery): ProviderAnswers | undefined {
  if (provider === undefined) return undefined
  return { taken: (situation) => provider.answer(delivery, situation), refused: provider.refusalStatus }
}

function statusOfObserved({ outcome, provider, delivery }: ObservedDelivery): number {
  return statusOf(outcome, answersOf(provider, delivery))
}

function labelOf(outcome: ObservedDelivery['outcome']): DeliveryEvent['outcome'] {
  switch (outcome.kind) {
    case 'too_large':
    case 'too_slow':
    case 'unsupported_encoding':
    case 'method_not_allowed':
    case 'unknown_source':
      return 'refused'
    default:
      return outcome.kind
  }
}

function reasonOf(outcome: ObservedDelivery['outcome']): DeliveryEvent['reason'] {
  if (outcome.kind === 'forged' || outcome.kind === 'ignored') return outcome.reason
  if (outcome.kind === 'failed' && outcome.stored === 'dead_letter') return 'dead_letter'
  if (repeatedEventOf(outcome) !== undefined) return 'replayed_body'
  return outcome.kind === 'duplicate' && outcome.isMutated ? 'mutated' : undefined
}

function detailOf(outcome: ObservedDelivery['outcome']): string | undefined {
  if (outcome.kind === 'forged') return outcome.hint
  if (outcome.kind === 'malformed') return outcome.detail
  if (outcome.kind === 'unavailable') return outcome.reason
  const repeatsEventId = repeatedEventOf(outcome)
  if (repeatsEventId !== undefined) return `It has the body of event ${repeatsEventId}.`
  return labelOf(outcome) === 'refused' ? outcome.kind : undefined
}

function repeatedEventOf(outcome: ObservedDelivery['outcome']): string | undefined {
  return 'repeatsEventId' in outcome ? outcome.repeatsEventId : undefined
}

/** What it is to the delivery log, which knows whatever was not a plain first acceptance. */
function notedKindOf(outcome: ObservedDelivery['outcome']): NotedDelivery['kind'] | undefined {
  if (repeatedEventOf(outcome) !== undefined) return 'replayed_body'
  if (outcome.kind === 'duplicate') return outcome.isMutated ? 'mutated' : 'duplicate'
  if (outcome.kind === 'forged' || outcome.kind === 'malformed') return outcome.kind
  return outcome.kind === 'ignored' && outcome.reason === 'not_allowed' ? 'not_allowed' : undefined
}
