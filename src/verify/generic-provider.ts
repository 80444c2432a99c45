import { type ComposedEvent, type EventToCompose, formEvent, freshId, jsonEvent } from './compose.ts'
import { fromDateText, fromUnixSeconds } from './dates.ts'
import type { DerivedId } from './derived-identity.ts'
import { describePlace, type FieldPlace, readPlace, withField } from './field-place.ts'
import { field, isObject } from './object.ts'
import type { ProviderDeclaration } from './provider-declaration.ts'

/** What has to be said about a sender that has no declaration of its own. */
export type GenericOptions = {
  /** Shown in logs. */
  readonly name?: string | undefined
  /** Where the event's id is. Without any id: `fieldsDigest([...])`, or as a last resort `bodyDigest()`. */
  readonly id: FieldPlace | DerivedId
  /** Where the type is; without it every event has the type `event`. */
  readonly type?: FieldPlace | undefined
  readonly deliveryId?: FieldPlace | undefined
  readonly objectId?: FieldPlace | undefined
  /** A date as text, or seconds since 1970. */
  readonly occurredAt?: FieldPlace | undefined
  readonly documentation?: string | undefined
  readonly retryHours?: number | undefined
  readonly manualReplayDays?: number | undefined
  readonly deadlineSeconds?: number | undefined
}

/** These options and what they mean. */
export const genericOptions: Readonly<Record<keyof GenericOptions, string>> = {
  name: 'shown in logs',
  id: 'where the event id is: { header }, { body }, { form } or { query }; or fieldsDigest([...]), bodyDigest()',
  type: 'where the event type is',
  deliveryId: 'where the id of one delivery is',
  objectId: 'where the id of the object is',
  occurredAt: 'where the time is: a date as text, or seconds since 1970',
  documentation: 'the address of a description',
  retryHours: 'how long the sender tries again',
  manualReplayDays: 'for how many days it can be made to send again',
  deadlineSeconds: 'how long it waits for an answer',
}

/** Fills the identity and the facts of a declaration from options. */
export function genericProvider(
  options: GenericOptions,
  declared: Omit<ProviderDeclaration, 'identify'>,
): ProviderDeclaration {
  const { id, type, deliveryId, objectId, occurredAt, retryHours, manualReplayDays, deadlineSeconds } = options
  const isIdGiven = typeof id === 'object' && id !== null
  return {
    ...declared,
    name: options.name ?? declared.name,
    ...(options.documentation === undefined ? {} : { documentation: options.documentation }),
    ...(retryHours === undefined ? {} : { retryHours }),
    ...(manualReplayDays === undefined ? {} : { manualReplayDays }),
    ...(deadlineSeconds === undefined ? {} : { deadlineSeconds }),
    idField: isIdGiven ? describePlace(id) : 'id',
    isIdSigned:
      isIdGiven &&
      (declared.isIdSigned === true ||
        (declared.scheme.isBodySigned && ('body' in id || 'form' in id || 'kind' in id))),
    ...readsOf([id, type, deliveryId, objectId, occurredAt]),
    identify: (incoming) => {
      const time = occurredAt && readPlace(incoming, occurredAt)
      return {
        id: readPlace(incoming, id),
        type: type === undefined ? 'event' : readPlace(incoming, type),
        deliveryId: deliveryId && readPlace(incoming, deliveryId),
        objectId: objectId && readPlace(incoming, objectId),
        occurredAt: fromUnixSeconds(time) ?? fromDateText(time),
      }
    },
    compose: (event) => composeAt(event, id, type),
    mistakes: [...(declared.mistakes ?? []), ...(isIdGiven ? [] : [missingId])],
    warnings: [...(declared.warnings ?? []), ...(isIdGiven && 'kind' in id ? [id.risk] : [])],
  }
}

/** The places in the body, unless there is a digest, which may look at anything. Places can be wrong; that is said elsewhere. */
function readsOf(places: readonly unknown[]): Pick<ProviderDeclaration, 'reads'> {
  const given = places.filter(isObject)
  if (given.some((place) => 'kind' in place)) return {}
  return { reads: given.flatMap(({ body }) => (typeof body === 'string' ? [body] : [])) }
}

const missingId =
  '"id" is missing: say where the event id is, for example { header: "x-event-id" } or { body: "event.id" }, ' +
  'or choose fieldsDigest([...]) or bodyDigest() if there is none.'

/** An event with its id and type where the options say they are. */
function composeAt(event: EventToCompose, id: FieldPlace | DerivedId, type: FieldPlace | undefined): ComposedEvent {
  const values = [
    { place: id, value: event.id, fallback: freshId('evt_') },
    { place: type, value: event.type, fallback: 'example.created' },
  ]
  let document: Readonly<Record<string, unknown>> = event.payload ?? { sample: freshId() }
  const headers: Record<string, string> = {}
  const query = new URLSearchParams()
  let isForm = false
  for (const { place, value, fallback } of values) {
    if (place === undefined || 'kind' in place) continue
    if ('header' in place) headers[place.header.toLowerCase()] = value ?? fallback
    else if ('query' in place) query.set(place.query, value ?? fallback)
    else {
      const path = 'form' in place ? place.form : place.body
      isForm ||= 'form' in place
      if (value !== undefined || field(document, path) === undefined)
        document = withField(document, path, value ?? fallback)
    }
  }
  const composed = isForm ? formEvent(document, headers) : jsonEvent(document, headers)
  return query.size === 0 ? composed : { ...composed, url: `https://hooks.example.com/?${query.toString()}` }
}
