import type { IdentifiedEvent } from './provider.ts'
import { compositeId, idText, safeId } from './safe-id.ts'
import type { Malformed } from './verdict.ts'

/**
 * The events with ids that belong to their tenant. Each tenant signs with a secret of its own and may write any id, so without this
 * one could use up the id of another's event, which would then count as a duplicate.
 */
export function ofTenant(
  events: readonly IdentifiedEvent[] | Malformed,
  tenant: unknown,
): readonly IdentifiedEvent[] | Malformed {
  if ('kind' in events) return events
  if (idText(tenant) === undefined) return { kind: 'malformed', detail: 'The delivery belongs to no tenant.' }
  return events.map((event) => ({ ...event, id: safeId(compositeId([tenant, event.id]) ?? event.id) }))
}
