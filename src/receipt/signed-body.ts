import type { Delivery } from '../delivery/delivery.ts'
import type { IdentifiedEvent, Provider } from '../verify/provider.ts'
import type { BodyToStore, SignedBody } from './receipt.ts'
import { createSignedKey } from './signed-key.ts'

export type SignedBodyParts = {
  readonly environment: string
  readonly source: string
  readonly delivery: Delivery
  readonly body: BodyToStore
  readonly events: readonly IdentifiedEvent[]
}

/** Undefined where the signature covers the ids, as it also does those of a batch, which are in the body. */
export function signedBodyOf(
  { facts, settings, tenantOf }: Provider,
  { environment, source, delivery, body, events }: SignedBodyParts,
): SignedBody | undefined {
  if (facts.isIdSigned || events.length !== 1 || events[0]?.part !== undefined) return undefined
  const key = createSignedKey({ environment, source, tenant: tenantOf(delivery), bodyHash: body.hash })
  return { key, whenRepeated: settings.replayedBody }
}
