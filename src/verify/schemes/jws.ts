import { decodeStrictly } from '../bytes.ts'
import { parseJson } from '../json.ts'
import { isObject } from '../object.ts'

/** A JSON Web Signature in its compact form, taken apart and not believed yet. */
export type Jws = {
  readonly header: Readonly<Record<string, unknown>>
  readonly claims: Readonly<Record<string, unknown>>
  /** What the signature is over. */
  readonly signed: string
  readonly signature: Uint8Array
}

/** Reads `header.claims.signature`; undefined if it is not exactly that, or asks for an extension that nobody here knows. */
export function readJws(text: string, longestPart?: number): Jws | undefined {
  const parts = text.split('.', 4)
  const [head = '', payload = '', mark = ''] = parts
  const signature = decodeStrictly(mark, 'base64url')
  const header = readPart(head, longestPart)
  const claims = readPart(payload, longestPart)
  if (parts.length !== 3 || signature === undefined || header === undefined || claims === undefined) return undefined
  return header.crit === undefined ? { header, claims, signed: `${head}.${payload}`, signature } : undefined
}

/** The compact form, signed by `make`. */
export function writeJws(
  header: Readonly<Record<string, unknown>>,
  claims: unknown,
  make: (signed: string) => Uint8Array,
): string {
  const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${signed}.${Buffer.from(make(signed)).toString('base64url')}`
}

function readPart(text: string, longest: number | undefined): Readonly<Record<string, unknown>> | undefined {
  const bytes = decodeStrictly(text, 'base64url', longest)
  const parsed = bytes === undefined ? undefined : parseJson(bytes)
  return parsed?.kind === 'parsed' && isObject(parsed.document) ? parsed.document : undefined
}
