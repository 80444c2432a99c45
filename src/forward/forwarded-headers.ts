import type { WebhookEvent } from '../effects/handler.ts'
import { isSendable } from '../targets/http-post.ts'
import { headerId } from '../targets/http-signature.ts'

/** Of one connection and one receiver only (RFC 9110, 7.6.1), or ours to say: nobody else may claim to be us. */
const notForwarded =
  /^(?:host|content-length|content-encoding|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|proxy-.*|idempotency-key|webhook-id|webhook-timestamp|webhook-signature|oncehook-.*)$/

/** The headers of the delivery as they are stored, in lower case, and what we know of the event. */
export function forwardedHeaders(event: WebhookEvent, attempt: number): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {}
  const ofConnection = (event.headers.get('connection') ?? '').toLowerCase().split(/\s*,\s*/)
  for (const [name, value] of event.headers) {
    if (notForwarded.test(name) || ofConnection.includes(name) || !isSendable(name, value)) continue
    headers[name] = value
  }
  return {
    ...headers,
    'oncehook-source': event.source,
    'oncehook-receipt-id': event.receiptId,
    'oncehook-attempt': String(attempt),
    // An id may hold anything that the provider puts there.
    'oncehook-event-id': headerId(event.id),
    'oncehook-event-type': headerId(event.type),
    ...(event.part !== undefined && { 'oncehook-event-part': encodeURI(event.part.toWellFormed()) }),
    ...(event.redacted.length > 0 && { 'oncehook-redacted': event.redacted.map(headerId).join(' ') }),
  }
}
