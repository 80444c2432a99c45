import { createMatcher, type PathMatcher } from './path-matcher.ts'
import { redactJson } from './redact-json.ts'
import { redactedValue } from './redaction.ts'
import type { RedactionPath } from './redaction-path.ts'

/** GitHub and Slack put their JSON into a form field of this name. */
const documentField = 'payload'

const encodedValue = encodeURIComponent(redactedValue)

/** What is left of a form. `unreadable`: it has a field for JSON that does not hold any. */
export type RedactedForm =
  | { readonly kind: 'redacted'; readonly content: Uint8Array; readonly found: readonly string[] }
  | { readonly kind: 'unreadable' }

/**
 * Replaces the values of fields that a path names, what the paths name of JSON in a field (`events[*].email` of a field `events`), and in
 * the field `payload` what they name of the document in it. Every other byte stays as it is.
 */
export function redactForm(bytes: Uint8Array, paths: readonly RedactionPath[]): RedactedForm {
  const found = new Set<string>()
  const matcher = createMatcher(paths, found)
  // Latin-1 keeps every byte, and the signs that divide a form are ASCII.
  const pairs = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1').split('&')
  const kept: string[] = []
  for (const [index, pair] of pairs.entries()) {
    const redacted = redactPair(pair, index === 0, { matcher, paths, found })
    if (redacted === undefined) return { kind: 'unreadable' }
    kept.push(redacted)
  }
  const content = found.size === 0 ? bytes : Buffer.from(kept.join('&'), 'latin1')
  return { kind: 'redacted', content, found: [...found] }
}

type FormPaths = {
  readonly matcher: PathMatcher
  readonly paths: readonly RedactionPath[]
  readonly found: Set<string>
}

function redactPair(pair: string, isFirst: boolean, { matcher, paths, found }: FormPaths): string | undefined {
  // As who reads the form later does: a question mark at its very beginning does not count.
  const text = Buffer.from(pair, 'latin1').toString('utf8')
  const [[name, value] = ['', '']] = new URLSearchParams(isFirst ? text : `&${text}`)
  const equals = pair.indexOf('=')
  const named = equals < 0 ? pair : pair.slice(0, equals)
  const place = matcher.member(matcher.root, () => name)
  if (place.isNamed) return equals < 0 ? pair : `${named}=${encodedValue}`

  const isDocument = name === documentField
  const further = place.waiting.map(({ path, number }) => ({ text: path.text, steps: path.steps.slice(number) }))
  if (!isDocument && further.length === 0) return pair
  const inner = redactJson(Buffer.from(value, 'utf8'), isDocument ? [...paths, ...further] : further)
  if (inner.kind === 'unreadable') return isDocument ? undefined : pair
  if (inner.found.length === 0) return pair
  for (const path of inner.found) found.add(path)
  return `${named}=${encodeURIComponent(Buffer.from(inner.content).toString('utf8'))}`
}
