/** Parts of a payload, to be laid over a realistic one. */
export type Fields = Readonly<Record<string, unknown>>

/**
 * Lays fields over what is at the place, or over the whole where there is no such place: objects are merged at every depth, anything else is
 * replaced, and `undefined` leaves a member out.
 */
export function mergeAt(document: unknown, place: string | undefined, fields: Fields): unknown {
  const steps = place === undefined ? [] : place.split('.')
  return mergeAlong(document, isThere(document, steps) ? steps : [], fields)
}

/** The same for a form: over the JSON that it carries in `payload`, or else over its own fields. */
export function mergeIntoForm(form: string, fields: Fields): string {
  const parameters = new URLSearchParams(form)
  const payload = parameters.get('payload')
  const changed = payload === null ? fields : { payload: merged(JSON.parse(payload), fields) }
  for (const [name, value] of Object.entries(changed)) {
    if (value === undefined) parameters.delete(name)
    else parameters.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return parameters.toString()
}

function isThere(document: unknown, steps: readonly string[]): boolean {
  const found = steps.reduce<unknown>(
    (part, step) => (isContainer(part) ? Reflect.get(part, step) : undefined),
    document,
  )
  return found !== undefined
}

function mergeAlong(document: unknown, [step, ...rest]: readonly string[], fields: Fields): unknown {
  if (step === undefined || !isContainer(document)) return merged(document, fields)
  const changed = { [step]: mergeAlong(Reflect.get(document, step), rest, fields) }
  return Array.isArray(document)
    ? Object.assign([...(document as readonly unknown[])], changed)
    : { ...document, ...changed }
}

function isContainer(value: unknown): value is object {
  return Array.isArray(value) || isObject(value)
}

function merged(base: unknown, over: unknown): unknown {
  if (!isObject(over)) return over
  const result: Record<string, unknown> = isObject(base) ? { ...base } : {}
  for (const [name, value] of Object.entries(over)) {
    if (value === undefined) delete result[name]
    else result[name] = merged(result[name], value)
  }
  return result
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
