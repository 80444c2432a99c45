import type { MessageResult, OutgoingMessage } from './targets/target.ts'
import type { SpanEnd, SpanRequest, Tracing } from './tracing.ts'

type Deliver = (messages: readonly OutgoingMessage[]) => Promise<readonly MessageResult[] | undefined>

/**
 * Sends messages in a span. That of a single one is part of the trace in which it was added, and goes out with it.
 * That of many is linked with all their traces, and each goes out with its own.
 */
export function traceSending(
  tracing: Tracing,
  messages: readonly OutgoingMessage[],
  deliver: Deliver,
): ReturnType<Deliver> {
  const [only] = messages
  if (only === undefined || messages.length > 1) {
    return tracing.span(batchSpan(messages), () => deliver(messages), endOf)
  }
  return tracing.span(messageSpan(only), (traceparent) => deliver([withTraceparent(only, traceparent)]), endOf)
}

function messageSpan({ id, target, attempt, cause, traceparent }: OutgoingMessage): SpanRequest {
  return {
    name: `send ${target}`,
    kind: 'producer',
    attributes: {
      ...sending(target),
      'messaging.message.id': id,
      'oncehook.attempt': attempt,
      'oncehook.source': cause.source,
      'oncehook.event.id': cause.eventId,
      'oncehook.receipt.id': cause.receiptId,
    },
    ...(traceparent !== undefined && { parent: { traceparent } }),
  }
}

function batchSpan(messages: readonly OutgoingMessage[]): SpanRequest {
  const target = messages[0]?.target ?? ''
  return {
    name: `send ${target}`,
    kind: 'producer',
    attributes: { ...sending(target), 'messaging.batch.message_count': messages.length },
    links: messages.flatMap(({ traceparent }) => traceparent ?? []),
  }
}

function sending(target: string): SpanRequest['attributes'] {
  return {
    'messaging.system': 'oncehook',
    'messaging.operation.name': 'send',
    'messaging.operation.type': 'send',
    'messaging.destination.name': target,
  }
}

function withTraceparent(message: OutgoingMessage, traceparent: string | undefined): OutgoingMessage {
  return traceparent === undefined ? message : { ...message, traceparent }
}

function endOf(results: readonly MessageResult[] | undefined): SpanEnd {
  if (results === undefined) return { attributes: { 'oncehook.outcome': 'stopped' } }
  const failed = results.find((result) => result.kind === 'failed')
  return failed === undefined
    ? { attributes: { 'oncehook.outcome': 'published' } }
    : { attributes: { 'oncehook.outcome': 'failed' }, error: failed.error }
}
