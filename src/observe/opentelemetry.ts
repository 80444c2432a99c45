export type { OpenTelemetryApi } from './opentelemetry-api.ts'
export { openTelemetryMetrics } from './opentelemetry-metrics.ts'
export { openTelemetryTracing } from './opentelemetry-tracing.ts'
