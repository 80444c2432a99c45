import type { DerivedId } from './derived-identity.ts'
import type { Incoming } from './incoming.ts'
import { field } from './object.ts'

/** Where a value is in a delivery. A path into the body has dots: `data.object.id`. */
export type FieldPlace =
  | { readonly header: string }
  | { readonly body: string }
  | { readonly form: string }
  | { readonly query: string }

/** The value at a place, as it came. */
export function readPlace(incoming: Incoming, place: FieldPlace | DerivedId): unknown {
  if ('kind' in place) return place.read(incoming)
  if ('header' in place) return incoming.headers.get(place.header)
  if ('body' in place) return field(incoming.document, place.body)
  const parameters = 'form' in place ? incoming.form : incoming.query
  const values = parameters.getAll('form' in place ? place.form : place.query)
  // Two values for one id have no one meaning.
  return values.length === 1 ? values[0] : undefined
}

/** A place in words. */
export function describePlace(place: FieldPlace | DerivedId): string {
  if ('kind' in place) return place.describe
  if ('header' in place) return `the header ${place.header}`
  if ('body' in place) return `the body field "${place.body}"`
  return 'form' in place ? `the form field "${place.form}"` : `the query parameter "${place.query}"`
}

/** A copy of a document with a value at a path. */
export function withField(
  document: Readonly<Record<string, unknown>>,
  path: string,
  value: unknown,
): Readonly<Record<string, unknown>> {
  const [name = '', ...rest] = path.split('.')
  if (rest.length === 0) return { ...document, [name]: value }
  const inner = field(document, name)
  const base = typeof inner === 'object' && inner !== null ? (inner as Readonly<Record<string, unknown>>) : {}
  return { ...document, [name]: withField(base, rest.join('.'), value) }
}
