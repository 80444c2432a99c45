/** Which values of a document are meant. */
export type RedactionPath = { readonly text: string; readonly steps: readonly PathStep[] }

/** One step down the document. `isAnywhere`: at any depth, not only directly below. */
export type PathStep = { readonly isAnywhere: boolean } & StepTarget

type StepTarget =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  /** Every member of an object, every element of a list. */
  | { readonly kind: 'any' }

/** The path of the document itself. */
export const wholeBody = '$'

/**
 * Reads `$.data.object.email`, `items[*].email`, `items[0]`, `['a.b']`, `$..email` and `$`. The `$.` at the beginning may be left out.
 * A mistake says where it is.
 */
export function parseRedactionPath(text: string): RedactionPath | { readonly mistake: string } {
  const steps: PathStep[] = []
  let at = text.startsWith(wholeBody) ? 1 : 0
  // Also once for an empty text, so that it is told what is missing.
  while (at < Math.max(text.length, 1)) {
    const isAnywhere = text.startsWith('..', at)
    const start = at + (isAnywhere ? 2 : Number(text[at] === '.'))
    const isJoined = start > at || at === 0 || text[at] === '['
    const read = isJoined ? readTarget(text, start) : { mistake: 'there is no "." or "[" before the next name' }
    // Nothing stands between a single dot and a bracket in any known notation.
    const isDottedBracket = start === at + 1 && text[start] === '['
    if ('mistake' in read || isDottedBracket) {
      const mistake = 'mistake' in read ? read.mistake : 'there is a "." too many'
      return { mistake: `${JSON.stringify(text)} is no path: at character ${start + 1} ${mistake}.` }
    }
    steps.push({ ...read.target, isAnywhere })
    at = read.end
  }
  return { text, steps }
}

type ReadTarget = { readonly target: StepTarget; readonly end: number } | { readonly mistake: string }

/** A plain name has nothing that means something else in a path; any name can stand in brackets and quotes. */
const plainName = /[^\s.[\]'"*$\\]+/y
const bracketed = /\[(?:(\*)|(\d{1,9})|('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"))\]/sy

function readTarget(text: string, at: number): ReadTarget {
  if (text[at] === '*') return { target: { kind: 'any' }, end: at + 1 }
  if (text[at] === '[') return readBrackets(text, at)
  plainName.lastIndex = at
  const [name] = plainName.exec(text) ?? []
  if (name !== undefined) return { target: { kind: 'name', name }, end: at + name.length }
  const found = at >= text.length ? 'it ends' : `there is ${JSON.stringify(text[at])}`
  return { mistake: `${found}, where a name, "*" or a bracket was expected` }
}

function readBrackets(text: string, at: number): ReadTarget {
  bracketed.lastIndex = at
  const [found, star, index, quoted] = bracketed.exec(text) ?? []
  if (found === undefined) return { mistake: `there has to be [*], [0] or ['name']` }
  const end = at + found.length
  if (star !== undefined) return { target: { kind: 'any' }, end }
  if (index !== undefined) return { target: { kind: 'index', index: Number(index) }, end }
  const name = unquoted(quoted ?? '')
  return name === undefined
    ? { mistake: 'the name in quotes has an escape or a character that JSON does not allow' }
    : { target: { kind: 'name', name }, end }
}

/** The escapes are those of JSON, and \' between single quotes. */
function unquoted(quoted: string): string | undefined {
  const inner = quoted.slice(1, -1)
  const text = quoted.startsWith('"') ? inner : inner.replaceAll(/\\.|"/gs, (found) => singleQuoted[found] ?? found)
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    return undefined
  }
}

const singleQuoted: Readonly<Record<string, string>> = { "\\'": "'", '"': '\\"' }
