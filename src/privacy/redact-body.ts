import { isPromise } from 'node:util/types'
import { redactForm } from './redact-form.ts'
import { redactJson } from './redact-json.ts'
import { type BodyToRedact, byFunction, type RedactFunction, type Redaction } from './redaction.ts'
import { type RedactionPath, wholeBody } from './redaction-path.ts'

/** What is stored of a body, and what of it is not. */
export type RedactedBody = {
  readonly content: Uint8Array
  readonly redaction: Redaction
  /** Nothing is kept because the redaction did not work, not because that is what was asked for. */
  readonly isFailure?: true
}

/**
 * The body without what the paths name; undefined if they name nothing in it. A body in which nothing can be looked for is withheld:
 * it could hold just what must not be stored.
 */
export function redactByPaths(
  { body, contentType }: { readonly body: Uint8Array; readonly contentType: string },
  paths: readonly RedactionPath[],
): RedactedBody | undefined {
  if (body.byteLength === 0 || paths.length === 0) return undefined
  if (paths.some(({ steps }) => steps.length === 0)) return nothing('The option "redact" names the whole body.')
  const isForm = /^\s*application\/x-www-form-urlencoded\b/i.test(contentType)
  // Whatever it says it is: what can be read as a document is looked at as one.
  const json = isForm && !looksLikeDocument(body) ? undefined : redactJson(body, paths)
  const redacted = json?.kind !== 'redacted' && isForm ? redactForm(body, paths) : json
  if (redacted?.kind !== 'redacted')
    return failure('It is neither JSON nor a form, so the paths of the option "redact" could not be looked for.')
  return redacted.found.length === 0 ? undefined : { content: redacted.content, redaction: { paths: redacted.found } }
}

/**
 * What the function returns in place of the body; undefined if that is the body itself. What it throws is not repeated: the errors of
 * `JSON.parse`, for one, quote what they could not read.
 */
export function redactByFunction(
  redact: RedactFunction,
  delivery: BodyToRedact,
  original: Uint8Array,
): RedactedBody | undefined {
  try {
    const kept = redact(delivery)
    if (kept === undefined || kept === null) return nothing('The function "redact" returned nothing.')
    if (isPromise(kept)) {
      kept.catch(() => {})
      return failure('The function "redact" returned a promise, but it has to be synchronous.')
    }
    if (typeof kept === 'string' || kept instanceof Uint8Array) return chosen(Buffer.from(kept), original)
    if (typeof kept !== 'object') return failure('The function "redact" returned neither bytes, a text nor a document.')
    return { content: Buffer.from(JSON.stringify(kept)), redaction: { paths: [byFunction], isDocument: true } }
  } catch (error) {
    return failure(`The function "redact" threw a ${error instanceof Error ? error.name : typeof error}.`)
  }
}

function chosen(content: Buffer, original: Uint8Array): RedactedBody | undefined {
  return content.equals(original) ? undefined : { content, redaction: { paths: [byFunction] } }
}

function nothing(reason: string): RedactedBody {
  return { content: new Uint8Array(), redaction: { paths: [wholeBody], withheld: reason } }
}

function failure(reason: string): RedactedBody {
  return { ...nothing(reason), isFailure: true }
}

/** What is stored of a body, without the proof in it either. */
export function withoutProof(
  { body, contentType }: { readonly body: Uint8Array; readonly contentType: string },
  proof: readonly RedactionPath[],
  redacted: RedactedBody | undefined,
): RedactedBody | undefined {
  if (proof.length === 0 || redacted?.redaction.withheld !== undefined) return redacted
  const proven = redactByPaths({ body: redacted?.content ?? body, contentType }, proof)
  if (proven === undefined || proven.isFailure === true) return proven ?? redacted
  const { paths, ...others } = redacted?.redaction ?? { paths: [] }
  return { content: proven.content, redaction: { paths, ...others, proof: proven.redaction.paths } }
}

/** A list or an object, after spaces. */
function looksLikeDocument(body: Uint8Array): boolean {
  const first = body.find((byte) => byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09)
  return first === 0x5b || first === 0x7b
}
