import { type Delivery, firstHeader } from './delivery.ts'

/** Headers in which senders, proxies and platforms name a request, the most telling first. */
const requestIdHeaders = ['x-request-id', 'x-correlation-id'] as const

/** Version, trace id, span id and flags (W3C Trace Context); a trace id of zeros names nothing. */
const traceparent = /^[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-.*)?$/

/** What anybody sends goes into logs, so it is short and has no spaces, line breaks or colours. */
const plainId = /^[\w.:+/=@-]{1,128}$/

/**
 * What ties together all that one request leads to: the trace id of its `traceparent`, its `x-request-id`, its `x-correlation-id`,
 * or else an id of our own. Found in the request's headers as in those that are kept, so that later runs have the same one.
 */
export function correlationIdOf(headerOf: (name: string) => string | undefined, ownId: string): string {
  const traceId = traceIdOf(headerOf('traceparent'))
  if (traceId !== undefined) return traceId
  for (const name of requestIdHeaders) {
    const value = headerOf(name)
    if (value !== undefined && plainId.test(value)) return value
  }
  return ownId
}

/** Of a delivery: if it is traced, the trace is that of the span it is received in. */
export function deliveryCorrelationId({ headers, traceparent }: Delivery, ownId: string): string {
  return traceIdOf(traceparent) ?? correlationIdOf((name) => firstHeader(headers, name), ownId)
}

/** The same from headers as they are kept. */
export function keptCorrelationId(headers: readonly (readonly [string, string])[] | undefined, ownId: string): string {
  return correlationIdOf((wanted) => headers?.find(([name]) => name === wanted)?.[1], ownId)
}

/** Undefined for what is no `traceparent`. */
function traceIdOf(value: string | undefined): string | undefined {
  return value === undefined ? undefined : traceparent.exec(value)?.[1]
}
