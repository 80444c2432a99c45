import { createHash } from 'node:crypto'
import type { Delivery } from '../delivery/delivery.ts'
import { storedHeaders } from '../delivery/stored-headers.ts'
import { matches } from '../effects/handler-registry.ts'
import { createBodyId } from '../receipt/body-id.ts'
import type { BodyToStore, NewReceipt } from '../receipt/receipt.ts'
import { signedBodyOf } from '../receipt/signed-body.ts'
import type { IdentifiedEvent, Provider } from '../verify/provider.ts'

export type ProcessedDelivery = {
  readonly source: string
  readonly provider: Provider
  readonly delivery: Delivery
  readonly events: readonly IdentifiedEvent[]
  readonly secretIndex: number
}

export type ReceiptParts = {
  readonly environment: string
  readonly redact: RedactBody | undefined
}

export type RedactBody = (
  source: string,
  parts: { readonly delivery: Delivery; readonly body: BodyToStore; readonly events: readonly IdentifiedEvent[] },
) => BodyToStore

/** The receipts of a delivery that the other handler said 2xx to: what has one is a duplicate from then on, and is not run here. */
export function processedReceipts(
  { environment, redact }: ReceiptParts,
  { source, provider, delivery, events, secretIndex }: ProcessedDelivery,
  at: Date,
): readonly NewReceipt[] {
  const whole: BodyToStore = {
    id: createBodyId(at),
    content: delivery.body,
    hash: createHash('sha256').update(delivery.body).digest(),
    headers: storedHeaders(delivery.headers, { proofHeaders: provider.proof.headers }),
  }
  const body = redact === undefined ? whole : redact(source, { delivery, events, body: whole })
  const signedBody = signedBodyOf(provider, { environment, source, delivery, body, events })
  const { types, keepDays } = provider.settings
  const wanted = events.filter(({ type }) => types === undefined || types.some((pattern) => matches(pattern, type)))
  return wanted.map((event) => ({
    environment,
    source,
    eventId: event.id,
    event,
    body,
    secretIndex,
    disposition: 'ignored',
    orderKey: undefined,
    signedBody,
    isKeyKept: keepDays === 'forever',
  }))
}
