import * as api from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'

const exporter = new InMemorySpanExporter()
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })

/** Collects the spans of this process in memory, as an SDK would send them away. */
export function collectSpans(): void {
  api.trace.setGlobalTracerProvider(provider)
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
}

/** What was collected since the last time, by name. */
export function takeSpans(): readonly SpanInBrief[] {
  const spans = exporter.getFinishedSpans().map(inBrief)
  exporter.reset()
  return spans
}

export type SpanInBrief = {
  readonly name: string
  readonly kind: string
  readonly traceId: string
  readonly spanId: string
  readonly parentId: string | undefined
  readonly links: readonly string[]
  readonly attributes: Readonly<Record<string, unknown>>
  readonly error: string | undefined
}

function inBrief(span: ReadableSpan): SpanInBrief {
  const { traceId, spanId } = span.spanContext()
  const isError = span.status.code === api.SpanStatusCode.ERROR
  return {
    name: span.name,
    kind: api.SpanKind[span.kind] ?? '',
    traceId,
    spanId,
    parentId: span.parentSpanContext?.spanId,
    links: span.links.map(({ context }) => context.spanId),
    attributes: span.attributes,
    error: isError ? (span.status.message ?? '') : undefined,
  }
}
