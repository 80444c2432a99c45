/** The part of `@opentelemetry/api` that is needed, so that the package stays out of our dependencies: `import * as api from …`. */
export type OpenTelemetryApi = TraceApi & MetricsApi

export type TraceApi = {
  readonly trace: {
    getTracer(name: string, version?: string): OtelTracer
    getSpanContext(context: OtelContext): OtelSpanContext | undefined
    setSpan(context: OtelContext, span: OtelSpan): OtelContext
    setSpanContext(context: OtelContext, spanContext: OtelSpanContext): OtelContext
    isSpanContextValid(spanContext: OtelSpanContext): boolean
  }
  readonly context: {
    active(): OtelContext
    with<Result>(context: OtelContext, work: () => Result): Result
  }
  readonly propagation: {
    extract(context: OtelContext, carrier: unknown, getter?: OtelGetter): OtelContext
  }
}

/** What passes from span to span; opaque to everybody but the library. */
export type OtelContext = {
  getValue(key: symbol): unknown
  setValue(key: symbol, value: unknown): OtelContext
  deleteValue(key: symbol): OtelContext
}

export type OtelGetter = {
  get(carrier: unknown, key: string): string | undefined
  keys(carrier: unknown): string[]
}

export type OtelSpanContext = {
  traceId: string
  spanId: string
  traceFlags: number
  isRemote?: boolean
}

export type OtelTracer = {
  startSpan(
    name: string,
    options: {
      kind: number
      attributes: Record<string, string | number>
      links?: { context: OtelSpanContext }[]
    },
    context: OtelContext,
  ): OtelSpan
}

export type OtelSpan = {
  spanContext(): OtelSpanContext
  setAttributes(attributes: Record<string, string | number>): unknown
  setStatus(status: { code: number; message?: string }): unknown
  end(): void
}

export type MetricsApi = {
  readonly metrics: { getMeter(name: string, version?: string): OtelMeter }
}

export type OtelMeter = {
  createCounter(
    name: string,
    options: OtelMetricOptions,
  ): {
    add(value: number, attributes: Record<string, string>): void
  }
  createHistogram(
    name: string,
    options: OtelMetricOptions & { advice: { explicitBucketBoundaries: number[] } },
  ): { record(value: number, attributes: Record<string, string>): void }
  createObservableGauge(name: string, options: OtelMetricOptions): OtelObservable
  createObservableCounter(name: string, options: OtelMetricOptions): OtelObservable
  addBatchObservableCallback(callback: (result: OtelObservation) => Promise<void>, observables: OtelObservable[]): void
  removeBatchObservableCallback(
    callback: (result: OtelObservation) => Promise<void>,
    observables: OtelObservable[],
  ): void
}

export type OtelMetricOptions = { description: string; unit?: string }

/** Opaque: it is handed back to the library. */
export type OtelObservable = { addCallback(callback: never): void }

export type OtelObservation = {
  observe(metric: OtelObservable, value: number, attributes: Record<string, string>): void
}
