import { hash, timingSafeEqual } from 'node:crypto'

/** How bytes are written in a header. `hex` is lower case only; `hex_any_case` is for providers that accept both. */
export type Encoding = 'hex' | 'hex_any_case' | 'base64' | 'base64url'

/** As long as all headers together may be; longer than any signature or token in use. */
const longestInHeader = 16_384

/** The bytes of a text in exactly its one canonical form, or undefined: Node's own decoders skip what they do not know. */
export function decodeStrictly(
  text: string,
  encoding: Encoding,
  longest: number = longestInHeader,
): Buffer | undefined {
  if (text.length === 0 || text.length > longest) return undefined
  switch (encoding) {
    case 'hex':
      return /^(?:[0-9a-f]{2})+$/.test(text) ? Buffer.from(text, 'hex') : undefined
    case 'hex_any_case':
      return /^(?:[0-9a-fA-F]{2})+$/.test(text) ? Buffer.from(text, 'hex') : undefined
    case 'base64':
      return canonical(text, 'base64')
    case 'base64url':
      return canonical(text, 'base64url')
  }
}

/** Writes bytes in the form that `decodeStrictly` reads. */
export function encode(bytes: Uint8Array, encoding: Encoding): string {
  return Buffer.from(bytes).toString(encoding === 'hex_any_case' ? 'hex' : encoding)
}

/** Constant time for equal lengths. A wrong or zero length is a mismatch, where `timingSafeEqual` would throw or say yes. */
export function isSame(given: Uint8Array, expected: Uint8Array): boolean {
  return expected.length > 0 && given.length === expected.length && timingSafeEqual(given, expected)
}

/** Constant time for any lengths, as only digests are compared: for tokens and passwords. */
export function isSameSecret(given: Uint8Array, expected: Uint8Array): boolean {
  return expected.length > 0 && timingSafeEqual(sha256(given), sha256(expected))
}

/** Constant time for any two texts. */
export function isSameText(given: string, expected: string): boolean {
  return isSameSecret(Buffer.from(given, 'utf8'), Buffer.from(expected, 'utf8'))
}

/** The SHA-256 of some bytes. By way of text, because memory of its own for each digest takes longer than to copy it from there. */
export function sha256(bytes: Uint8Array | string): Buffer {
  return Buffer.from(hash('sha256', bytes, 'binary'), 'binary')
}

/** Several texts decode to the same bytes (stray bits, line breaks, the other alphabet); only one of them is canonical. */
function canonical(text: string, encoding: 'base64' | 'base64url'): Buffer | undefined {
  const bytes = Buffer.from(text, encoding)
  return bytes.toString(encoding) === text ? bytes : undefined
}
