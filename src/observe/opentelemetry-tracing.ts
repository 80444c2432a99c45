import type { SpanAttributes, SpanRequest, Tracing } from '../tracing.ts'
import type { OtelContext, OtelGetter, OtelSpan, OtelSpanContext, TraceApi } from './opentelemetry-api.ts'

/** What the library calls these. */
const spanKinds = { producer: 3, consumer: 4 } as const
const statusError = 2

/** Version, trace id, span id and flags, after W3C Trace Context. */
const traceparentPattern = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-.*)?$/

/**
 * Traces deliveries, handler runs and messages by OpenTelemetry, in one trace each from the request to the effect. Give it what
 * `import * as api from '@opentelemetry/api'` gives. Spans go where your SDK sends them; without one, nothing is traced.
 */
export function openTelemetryTracing(api: TraceApi): Tracing {
  const { context, trace } = api
  const tracer = trace.getTracer('oncehook')

  return {
    async span(request, work, endOf) {
      const parent = parentOf(request)
      const span = tracer.startSpan(
        request.name,
        {
          kind: spanKinds[request.kind],
          attributes: present(request.attributes),
          links: (request.links ?? []).flatMap((link) => {
            const linked = spanContextOf(link)
            return linked === undefined ? [] : [{ context: linked }]
          }),
        },
        parent,
      )
      try {
        const result = await context.with(trace.setSpan(parent, span), () => work(traceparentOf(span)))
        const { attributes = {}, error } = endOf(result)
        span.setAttributes(present(attributes))
        if (error !== undefined) fail(span, error)
        return result
      } catch (error) {
        fail(span, error instanceof Error ? error.name : 'Thrown value')
        throw error
      } finally {
        span.end()
      }
    },
  }

  /**
   * The active span, where it belongs to the same trace already: the server's own span of the request, or the delivery's span
   * around an inline handler. Otherwise the one that is named.
   */
  function parentOf({ parent }: SpanRequest): OtelContext {
    const active = context.active()
    if (parent === undefined) return active
    const activeSpan = trace.getSpanContext(active)
    if ('traceparent' in parent) {
      const stored = spanContextOf(parent.traceparent)
      if (stored === undefined || stored.traceId === activeSpan?.traceId) return active
      return trace.setSpanContext(active, stored)
    }
    if (activeSpan !== undefined && trace.isSpanContextValid(activeSpan)) return active
    // By whatever way the SDK was set up for; where it was for none, by the standard.
    const extracted = api.propagation.extract(active, parent.headerOf, headerGetter)
    if (trace.getSpanContext(extracted) !== undefined) return extracted
    const named = spanContextOf(parent.headerOf('traceparent') ?? '')
    return named === undefined ? extracted : trace.setSpanContext(extracted, named)
  }

  function traceparentOf(span: OtelSpan): string | undefined {
    const spanContext = span.spanContext()
    if (!trace.isSpanContextValid(spanContext)) return undefined
    const { traceId, spanId, traceFlags } = spanContext
    return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
  }

  function spanContextOf(traceparent: string): OtelSpanContext | undefined {
    const [, traceId = '', spanId = '', flags = '0'] = traceparentPattern.exec(traceparent) ?? []
    const found = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
    return trace.isSpanContextValid(found) ? found : undefined
  }
}

const headerGetter: OtelGetter = {
  get: (headerOf, name) => (headerOf as (name: string) => string | undefined)(name.toLowerCase()),
  keys: () => [],
}

function fail(span: OtelSpan, error: string): void {
  span.setStatus({ code: statusError, message: error })
  // The class of the error, as far as its text begins with one: `TypeError: …`.
  span.setAttributes({ 'error.type': /^\w+(?=:|$)/.exec(error)?.[0] ?? '_OTHER' })
}

function present(attributes: SpanAttributes): Record<string, string | number> {
  const given = Object.entries(attributes).filter((entry): entry is [string, string | number] => entry[1] !== undefined)
  return Object.fromEntries(given)
}
