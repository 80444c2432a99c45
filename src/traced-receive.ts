import { type Delivery, firstHeader, toDelivery } from './delivery/delivery.ts'
import type { EventOutcome, Outcome } from './delivery/outcome.ts'
import type { Receive } from './receive.ts'
import type { SpanEnd, SpanRequest, Tracing } from './tracing.ts'

/** Receives each delivery in a span of its own, which what follows from it belongs to. */
export function traceReceive(receive: Receive, tracing: Tracing): Receive {
  return async (source, input) => {
    const delivery = toDelivery(input)
    return tracing.span(
      spanOf(source, delivery),
      (traceparent) => receive(source, traceparent === undefined ? delivery : { ...delivery, traceparent }),
      endOf,
    )
  }
}

/** The URL is left out: some hold keys. */
function spanOf(source: string, { method, headers, body }: Delivery): SpanRequest {
  return {
    name: `receive ${source}`,
    kind: 'consumer',
    attributes: {
      'messaging.system': 'oncehook',
      'messaging.operation.name': 'receive',
      'messaging.operation.type': 'receive',
      'messaging.destination.name': source,
      'messaging.message.body.size': body.byteLength,
      'http.request.method': method,
    },
    parent: { headerOf: (name) => firstHeader(headers, name) },
  }
}

function endOf(outcome: Outcome): SpanEnd {
  if (outcome.kind === 'batch') {
    const worst = outcome.outcomes.find(isFailure) ?? outcome.outcomes[0]
    const count = { 'messaging.batch.message_count': outcome.outcomes.length }
    if (worst === undefined) return { attributes: count }
    const { attributes, error } = endOf(worst)
    return { attributes: { ...attributes, ...count, 'messaging.message.id': undefined }, error }
  }
  return {
    attributes: {
      'oncehook.outcome': outcome.kind,
      'oncehook.reason': 'reason' in outcome ? outcome.reason : undefined,
      'oncehook.receipt.id': 'receiptId' in outcome ? outcome.receiptId : undefined,
      'messaging.message.id': 'eventId' in outcome ? outcome.eventId : undefined,
    },
    error: isFailure(outcome) ? outcome.kind : undefined,
  }
}

/** What the sender does wrong is no failure of this process. */
function isFailure({ kind }: Exclude<Outcome, { kind: 'batch' }> | EventOutcome): boolean {
  return kind === 'failed' || kind === 'unavailable'
}
