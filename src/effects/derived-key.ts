import { createHash } from 'node:crypto'
import type { EventKey } from '../receipt/receipt.ts'

/** The same in every attempt and replay, different for every event and purpose. */
export function derivedKey({ environment, source, eventId }: EventKey, purpose: readonly string[]): string {
  const text = JSON.stringify([environment, source, eventId, ...purpose])
  return `once_${createHash('sha256').update(text).digest('base64url')}`
}
