/**
 * Follows a delivery on its way: over the queue to its handlers, and over the outbox to whoever gets a message.
 * `oncehook/opentelemetry` makes one.
 */
export type Tracing = {
  /**
   * Runs the work as a span, which is the active one while it runs. The work is given the `traceparent` (W3C Trace Context) by
   * which what it leads to can be made part of the trace; undefined if nobody collects spans.
   */
  readonly span: <Result>(
    request: SpanRequest,
    work: (traceparent: string | undefined) => Promise<Result>,
    /** What became known of it by its end. A rejection is an error by itself. */
    endOf: (result: Result) => SpanEnd,
  ) => Promise<Result>
}

export type SpanRequest = {
  /** What is done, and to whom: `process stripe`. */
  readonly name: string
  readonly kind: 'consumer' | 'producer'
  readonly attributes: SpanAttributes
  /** The span that led to this one: of the caller as its headers name it, or as it was stored. Without one, the active span. */
  readonly parent?: { readonly headerOf: (name: string) => string | undefined } | { readonly traceparent: string }
  /** Other spans that led to it. */
  readonly links?: readonly string[]
}

export type SpanEnd = {
  readonly attributes?: SpanAttributes
  /** What went wrong. */
  readonly error?: string | undefined
}

export type SpanAttributes = Readonly<Record<string, string | number | undefined>>
