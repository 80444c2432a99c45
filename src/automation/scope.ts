/** What steps can name: the event, and variables that they have made. */
export type Scope = Readonly<Record<string, unknown>>

/** Names that are taken. */
export const reservedNames: readonly string[] = ['body', 'headers', 'event', 'request', 'secret']

type Way = readonly (string | number)[]

const mostPathLength = 500

/** `$.data.items[0]["a b"]`, `headers.x-shop`, `customer.name`. Undefined if it is none. */
export function parsePath(text: string): Way | undefined {
  if (text.length > mostPathLength) return undefined
  const head = /^(?:\$|[A-Za-z_][\w-]*)/.exec(text)?.[0]
  if (head === undefined) return undefined
  const way: (string | number)[] = [head === '$' ? 'body' : head]
  const part = /\.([\w-]+)|\[(\d{1,9})\]|\[("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\]/uy
  part.lastIndex = head.length
  while (part.lastIndex < text.length) {
    const found = part.exec(text)
    if (found === null) return undefined
    const [, member, index, quoted] = found
    if (member !== undefined) way.push(member)
    else if (index !== undefined) way.push(Number(index))
    else way.push((quoted ?? '').slice(1, -1).replaceAll(/\\(.)/gu, '$1'))
  }
  return way
}

/** What stands at a path; undefined if nothing does. Only what is a value's own: no prototype can be reached. */
export function valueAt(scope: Scope, path: string): unknown {
  let value: unknown = scope
  for (const part of parsePath(path) ?? [mostPathLength]) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Readonly<Record<string | number, unknown>>)[part]
  }
  return value
}

const placeholder = /\{\{\s*([^{}]+?)\s*\}\}/gu
const onlyPlaceholder = /^\{\{\s*([^{}]+?)\s*\}\}$/u

/** The paths that a template names, wherever in it they stand. */
export function pathsIn(template: unknown): readonly string[] {
  if (typeof template === 'string') return [...template.matchAll(placeholder)].map(([, path = '']) => path)
  if (typeof template !== 'object' || template === null) return []
  return Object.values(template).flatMap(pathsIn)
}

/** A template with its placeholders filled in. A text that is one placeholder and nothing else becomes the value itself. */
export function filled(template: unknown, scope: Scope): unknown {
  if (typeof template === 'string') {
    const [, only] = onlyPlaceholder.exec(template) ?? []
    return only === undefined ? filledText(template, scope) : (valueAt(scope, only) ?? null)
  }
  if (Array.isArray(template)) return template.map((member) => filled(member, scope))
  if (typeof template !== 'object' || template === null) return template
  return Object.fromEntries(Object.entries(template).map(([name, member]) => [name, filled(member, scope)]))
}

/** The same as a text, where only a text will do. What stands for itself later (`{{secret.NAME}}`) stays. */
export function filledText(template: string, scope: Scope): string {
  return template.replaceAll(placeholder, (whole, path: string) =>
    path.startsWith('secret.') ? whole : textOf(valueAt(scope, path)),
  )
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
