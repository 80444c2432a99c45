import { parseRedactionPath, type RedactionPath } from './redaction-path.ts'

/** What is left out of bodies before they are stored: paths into the document, or a function that returns what to store. */
export type Redact = readonly string[] | RedactFunction

/**
 * Returns what is stored instead of the body: bytes, a text, or a document that is stored as JSON. Nothing (undefined or null) means that
 * nothing is stored. Synchronous. If it throws, nothing is stored either, and the event is taken all the same.
 */
export type RedactFunction = (delivery: BodyToRedact) => Uint8Array | string | object | null | undefined

/** A delivery that was verified and is about to be stored. */
export type BodyToRedact = {
  readonly source: string
  /** One, unless the delivery is a batch: all its events share the body. */
  readonly events: readonly { readonly id: string; readonly type: string; readonly objectId?: string }[]
  /** The exact bytes. */
  readonly body: Uint8Array
  /** Without credentials and signatures. */
  readonly headers: ReadonlyMap<string, string>
  /** The parsed body, as handlers get it: yours to change and to return. Throws if it cannot be read. */
  readonly document: ReturnType<typeof JSON.parse>
}

/** What was left out of a body before it was stored. */
export type Redaction = {
  /** The paths that named something; `$` if nothing was kept, `(function)` if a function chose what is. */
  readonly paths: readonly string[]
  /** Why nothing was kept. */
  readonly withheld?: string
  /** What is kept is JSON, whatever the body was. */
  readonly isDocument?: true
  /** Where the provider's own proof was, which is never stored: it says nothing that a handler could want. */
  readonly proof?: readonly string[]
}

/** What stands in the place of a value that was left out. */
export const redactedValue = '[redacted]'

/** What stands for paths where a function chose. */
export const byFunction = '(function)'

/** What is wrong with the option; empty if nothing is. */
export function redactMistakes(redact: Redact, isDocumentRead: boolean): readonly string[] {
  if (typeof redact === 'function') return []
  if (!Array.isArray(redact) || redact.some((path) => typeof path !== 'string')) {
    return ['"redact" must be a list of paths such as "$.data.object.email", or a function.']
  }
  const mistakes = (redact as readonly string[]).flatMap((text) => {
    const path = parseRedactionPath(text)
    return 'mistake' in path ? [`"redact": ${path.mistake}`] : []
  })
  const isWhole = redact.every((path) => path === '$')
  return isDocumentRead && !isWhole ? [...mistakes, pathsDoNotReach] : mistakes
}

const pathsDoNotReach =
  '"redact" cannot be paths here, as the body of this provider is not itself the document: give a function, or ["$"] to store no body.'

/** The paths of an option that was checked. */
export function redactionPaths(texts: readonly string[]): readonly RedactionPath[] {
  return texts.flatMap((text) => {
    const path = parseRedactionPath(text)
    return 'mistake' in path ? [] : [path]
  })
}
