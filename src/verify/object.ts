/** True for an object that is no array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value at a path such as `data.object.id`, through own members only; undefined if there is none. */
export function field(document: unknown, path: string): unknown {
  let value = document
  for (const name of namesOf(path)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return value
}

/** Declarations ask for the same few paths again and again; whoever makes up new ones does not fill the memory. */
const knownPaths = new Map<string, readonly string[]>()
const mostKnownPaths = 1000

function namesOf(path: string): readonly string[] {
  const known = knownPaths.get(path)
  if (known !== undefined) return known
  const names = path.split('.')
  if (knownPaths.size >= mostKnownPaths) knownPaths.clear()
  knownPaths.set(path, names)
  return names
}

/** The list at a path; empty if there is none. */
export function listAt(document: unknown, path: string): readonly unknown[] {
  const value = field(document, path)
  return Array.isArray(value) ? value : []
}

/** A text that is equal for equal documents. `JSON.stringify` alone would throw on whole numbers beyond 2^53. */
export function stableText(value: unknown): string {
  return (
    JSON.stringify(value, (_name, member: unknown) =>
      typeof member === 'bigint' ? { wholeNumber: String(member) } : member,
    ) ?? ''
  )
}
