import { createHash } from 'node:crypto'

const longestText = 512

/** Text without what a text column refuses, short enough for an index. */
export function storableText(text: string): string {
  // Most texts are: to look costs less than to make a new one.
  if (text.length <= longestText && !text.includes('\u0000') && text.isWellFormed()) return text
  return text.replaceAll('\u0000', '\ufffd').slice(0, longestText).toWellFormed()
}

export function optionalText(text: string | undefined): string | null {
  return text === undefined ? null : storableText(text)
}

/** Unlike other text it may not be cut: two keys would become one. */
export function storableOrderKey(key: string | undefined): string | null {
  if (key === undefined) return null
  if (key.length <= longestText && !key.includes('\u0000') && key.isWellFormed()) return key
  return `sha256:${createHash('sha256').update(key).digest('hex')}`
}

/** A provider's time, or null for one that no calendar has. */
export function storableTime(time: Date | undefined): Date | null {
  if (time === undefined || Number.isNaN(time.getTime())) return null
  const year = time.getUTCFullYear()
  return year < 1 || year > 9999 ? null : time
}

export function hexadecimal(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}
