import { type Delivery, firstHeader } from './delivery/delivery.ts'
import { createWebhookEvent } from './effects/webhook-event.ts'
import type { InboxListener } from './events.ts'
import { type RedactedBody, redactByFunction, redactByPaths, withoutProof } from './privacy/redact-body.ts'
import { type BodyToRedact, type Redact, redactionPaths } from './privacy/redaction.ts'
import type { BodyToStore } from './receipt/receipt.ts'
import type { IdentifiedEvent, Provider } from './verify/provider.ts'

/** The body of an authentic delivery, with what is to be stored of it. Never throws: where redaction fails, nothing is stored. */
export type RedactDelivery = (source: string, parts: DeliveryToRedact) => BodyToStore

export type DeliveryToRedact = {
  readonly delivery: Delivery
  readonly body: BodyToStore
  readonly events: readonly IdentifiedEvent[]
}

export type RedactDeliveryParts = {
  readonly sources: ReadonlyMap<string, Provider>
  /** For sources that say nothing of their own. */
  readonly redact: Redact | undefined
  /** Then it is written down with each body which events it holds, so that it cannot pass for that of others. */
  readonly isEncrypted: boolean
  readonly emit: InboxListener
}

/** Undefined if there is nothing to leave out. */
export function createRedactDelivery({
  sources,
  redact,
  isEncrypted,
  emit,
}: RedactDeliveryParts): RedactDelivery | undefined {
  const plans = new Map<string, Plan>()
  for (const [source, provider] of sources) {
    const plan = planOf(source, provider, provider.settings.redact ?? redact)
    const proof = redactionPaths(provider.proof.paths)
    if (proof.length > 0) plans.set(source, (parts) => withoutProof(wholeOf(parts), proof, plan?.(parts)))
    else if (plan !== undefined) plans.set(source, plan)
  }
  if (plans.size === 0 && !isEncrypted) return undefined

  return (source, parts) => {
    const { events } = parts
    const body = isEncrypted ? { ...parts.body, eventIds: events.map(({ id }) => id) } : parts.body
    const redacted = plans.get(source)?.(parts)
    if (redacted === undefined) return body
    if (redacted.isFailure === true) tellFailure(source, events, redacted.redaction.withheld)
    const { content, redaction } = redacted
    return { ...body, stored: { content, headers: body.headers, redaction } }
  }

  function tellFailure(source: string, events: readonly IdentifiedEvent[], reason: string | undefined): void {
    const ids = events.slice(0, 3).map(({ id }) => id)
    const others = events.length > ids.length ? ` and ${events.length - ids.length} more` : ''
    const message = `Nothing of the body of ${source} event ${ids.join(', ')}${others} was stored, so only inline handlers see it.`
    emit({ kind: 'notice', level: 'error', message, ...(reason !== undefined && { error: reason }) })
  }
}

type Plan = (parts: DeliveryToRedact) => RedactedBody | undefined

/** What the option says; undefined if it says nothing. */
function planOf(source: string, provider: Provider, redact: Redact | undefined): Plan | undefined {
  if (redact === undefined) return undefined
  if (typeof redact === 'function') {
    return (parts) => redactByFunction(redact, toRedact(source, provider, parts), parts.body.content)
  }
  const paths = redactionPaths(redact)
  return paths.length === 0 ? undefined : (parts) => redactByPaths(wholeOf(parts), paths)
}

function wholeOf({ delivery: { body, headers } }: DeliveryToRedact): {
  readonly body: Uint8Array
  readonly contentType: string
} {
  return { body, contentType: firstHeader(headers, 'content-type') ?? '' }
}

/** Reads the document as handlers do, and only if it is asked for. */
function toRedact(source: string, { readDocument }: Provider, { body, events }: DeliveryToRedact): BodyToRedact {
  const [first] = events
  const event = createWebhookEvent({
    source,
    event: { id: first?.id ?? '', type: first?.type ?? '' },
    receiptId: '',
    bodyId: body.id,
    receivedAt: new Date(0),
    body,
    readDocument,
  })
  return {
    source,
    events,
    // A copy, as others still need the original as it is.
    body: Buffer.from(body.content),
    headers: new Map(body.headers),
    get document() {
      return event.document
    },
  }
}
