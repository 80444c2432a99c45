import { sha256 } from './bytes.ts'

/** Longer ids are kept as their hash, so that the unique index never meets its size limit. */
const longestIdBytes = 512

const longestType = 255

/**
 * An id that every text column can hold and that is still different for different ids.
 * Hashed are: NUL and lone surrogates, which Postgres refuses; what is too long; and what looks like such a hash already.
 */
export function safeId(id: string): string {
  // UTF-8 has one replacement for all lone surrogates, so ill-formed ids are told apart by their UTF-16 bytes.
  if (!id.isWellFormed()) return hashed(Buffer.concat([Buffer.of(0xff), Buffer.from(id, 'utf16le')]))
  const isSafe = !id.includes('\u0000') && Buffer.byteLength(id) <= longestIdBytes && !/^sha256:[0-9a-f]{64}$/.test(id)
  return isSafe ? id : hashed(Buffer.from(id, 'utf8'))
}

/** A type that every text column can hold; unlike an id it may be shortened. */
export function safeType(type: string): string {
  return type.slice(0, longestType).toWellFormed().replaceAll('\u0000', '\ufffd')
}

/**
 * One id out of several parts. The parts are escaped, so that no two lists of parts give the same id;
 * undefined if one of them is not an id.
 */
export function compositeId(parts: readonly unknown[]): string | undefined {
  const texts = parts.map(idText)
  if (texts.some((text) => text === undefined)) return undefined
  return texts.map((text) => text?.replaceAll('%', '%25').replaceAll(':', '%3A')).join(':')
}

/** The parts that `compositeId` joined. */
export function partsOfId(id: string): readonly string[] {
  return id.split(':').map((part) => part.replaceAll('%3A', ':').replaceAll('%25', '%'))
}

/** A non-empty string or a whole number as text; undefined for anything else, which is never turned into `[object Object]`. */
export function idText(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value
  if (typeof value === 'bigint') return String(value)
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : undefined
}

function hashed(bytes: Uint8Array): string {
  return `sha256:${sha256(bytes).toString('hex')}`
}
