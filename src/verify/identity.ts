import type { Incoming, IncomingReader } from './incoming.ts'
import type { IdentifiedEvent } from './provider.ts'
import { idText, safeId, safeType } from './safe-id.ts'
import type { Malformed } from './verdict.ts'

/** What a declaration read as one event. Nothing is believed of it yet: ids and types are checked, never converted. */
export type ClaimedEvent = {
  readonly id: unknown
  readonly type: unknown
  readonly deliveryId?: unknown
  readonly objectId?: unknown
  readonly occurredAt?: Date | undefined
  /** For a batch: the JSON pointer of the event inside the document. */
  readonly part?: string
}

/** Reads the events of an authentic delivery. */
export type Identify = (incoming: Incoming) => ClaimedEvent | readonly ClaimedEvent[]

/** The events of a delivery with ids that are safe to store, or what is missing. */
export function identifyEvents(
  { incoming, unreadable }: IncomingReader,
  identify: Identify,
  idField: string,
): readonly IdentifiedEvent[] | Malformed {
  const claimed = identify(incoming)
  const malformed = unreadable()
  if (malformed !== undefined) return malformed
  const events: IdentifiedEvent[] = []
  for (const claim of isList(claimed) ? claimed : [claimed]) {
    const id = idText(claim.id)
    if (id === undefined) return missing('id', claim, idField)
    if (typeof claim.type !== 'string' || claim.type === '') return missing('type', claim)
    events.push(checkedEvent(claim, id, claim.type))
  }
  return events.length > 0 ? events : { kind: 'malformed', detail: 'The delivery holds no event.' }
}

function checkedEvent(claim: ClaimedEvent, id: string, type: string): IdentifiedEvent {
  const deliveryId = idText(claim.deliveryId)
  const objectId = idText(claim.objectId)
  const isDate = claim.occurredAt instanceof Date && !Number.isNaN(claim.occurredAt.getTime())
  return {
    id: safeId(id),
    type: safeType(type),
    ...(deliveryId === undefined ? {} : { deliveryId: safeId(deliveryId) }),
    ...(objectId === undefined ? {} : { objectId: safeId(objectId) }),
    ...(isDate ? { occurredAt: claim.occurredAt } : {}),
    ...(claim.part === undefined ? {} : { part: claim.part }),
  }
}

function missing(what: 'id' | 'type', { part, [what]: value }: ClaimedEvent, field?: string): Malformed {
  const place = part === undefined || part === '' ? '' : ` of the part ${part}`
  const expected = what === 'id' ? 'a non-empty string or a whole number' : 'a non-empty string'
  const where = field === undefined ? '' : ` (${field})`
  return {
    kind: 'malformed',
    detail: `The event ${what}${place}${where} is ${kindOf(value)}, where ${expected} was expected.`,
  }
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (value === '') return 'empty'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'number' ? 'not a whole number' : `of the type ${typeof value}`
}

function isList(claimed: ClaimedEvent | readonly ClaimedEvent[]): claimed is readonly ClaimedEvent[] {
  return Array.isArray(claimed)
}
