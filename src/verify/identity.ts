import type { DerivedId } from './derived-identity.ts'
import type { Incoming, IncomingReader } from './incoming.ts'
import type { IdentifiedEvent } from './provider.ts'
import { idText, safeId, safeType } from './safe-id.ts'
import type { Malformed } from './verdict.ts'
import type { Writable } from './writable.ts'

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

/**
 * A user's own way to tell events apart: an id, or more of an event, or all events of a batch; or `fieldsDigest` and
 * `bodyDigest`. What it leaves out is as the provider has it.
 */
export type IdentityOverride = DerivedId | ((incoming: Incoming) => OwnIdentity | readonly ClaimedEvent[])

/** An id, or parts of an event. */
export type OwnIdentity = string | number | bigint | undefined | Partial<ClaimedEvent>

/** Reads events by the user's own identity, and by the provider's declaration where that says nothing. */
export function withIdentity(declared: Identify, identity: IdentityOverride): Identify {
  const read = typeof identity === 'function' ? identity : (incoming: Incoming) => identity.read(incoming)
  return (incoming) => {
    const own = read(incoming)
    if (isEvents(own)) return own
    const claim = typeof own === 'object' ? own : { id: own }
    if ('id' in claim && claim.type !== undefined) return { ...claim, id: claim.id, type: claim.type }
    const base = declared(incoming)
    const first = isEvents(base) ? base[0] : base
    return { id: undefined, type: undefined, ...first, ...claim }
  }
}

/** The events of a delivery with ids that are safe to store, or what is missing. */
export function identifyEvents(
  incoming: IncomingReader,
  identify: Identify,
  idField: string,
): readonly IdentifiedEvent[] | Malformed {
  const claimed = identify(incoming)
  // Known only now: what is not asked for is not read.
  if (incoming.unreadable !== undefined) return incoming.unreadable
  const events: IdentifiedEvent[] = []
  for (const claim of isEvents(claimed) ? claimed : [claimed]) {
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
  const { occurredAt, part } = claim
  const event: Writable<IdentifiedEvent> = { id: safeId(id), type: safeType(type) }
  if (deliveryId !== undefined) event.deliveryId = safeId(deliveryId)
  if (objectId !== undefined) event.objectId = safeId(objectId)
  if (occurredAt instanceof Date && !Number.isNaN(occurredAt.getTime())) event.occurredAt = occurredAt
  if (part !== undefined) event.part = part
  return event
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

function isEvents(claimed: unknown): claimed is readonly ClaimedEvent[] {
  return Array.isArray(claimed)
}
