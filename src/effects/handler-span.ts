import type { SpanEnd, SpanRequest } from '../tracing.ts'
import type { WebhookEvent } from './handler.ts'
import type { RunResult } from './run-handler.ts'

/** The span of one handler run, as a part of the trace that its event was received in. */
export function handlerSpan(handler: string, event: WebhookEvent, attempt: number): SpanRequest {
  const { source, id, type, receiptId } = event
  const traceparent = traceparentOf(event)
  return {
    name: `process ${source}`,
    kind: 'consumer',
    attributes: {
      ...processing(source, handler),
      'messaging.message.id': id,
      'oncehook.event.type': type,
      'oncehook.receipt.id': receiptId,
      'oncehook.attempt': attempt,
    },
    ...(traceparent !== undefined && { parent: { traceparent } }),
  }
}

export function endOfHandler(result: RunResult): SpanEnd {
  switch (result.kind) {
    case 'ran':
      return { attributes: { 'oncehook.outcome': result.ending } }
    case 'deferred':
      return { attributes: { 'oncehook.outcome': 'deferred' } }
    case 'threw':
      return { attributes: { 'oncehook.outcome': 'failed' }, error: result.run.error }
  }
}

/** One run for many events belongs to none of their traces, but is linked with each. */
export function batchSpan(handler: string, events: readonly WebhookEvent[]): SpanRequest {
  const source = events[0]?.source ?? ''
  return {
    name: `process ${source}`,
    kind: 'consumer',
    attributes: { ...processing(source, handler), 'messaging.batch.message_count': events.length },
    links: events.map(traceparentOf).filter((traceparent) => traceparent !== undefined),
  }
}

/** As it was stored with the body; undefined if nobody traced the delivery, or the body is gone. */
export function traceparentOf(event: WebhookEvent): string | undefined {
  try {
    return event.headers.get('traceparent')
  } catch {
    return undefined
  }
}

function processing(source: string, handler: string): SpanRequest['attributes'] {
  return {
    'messaging.system': 'oncehook',
    'messaging.operation.name': 'process',
    'messaging.operation.type': 'process',
    'messaging.destination.name': source,
    'oncehook.handler': handler,
  }
}
