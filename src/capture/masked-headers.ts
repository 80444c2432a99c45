import { createHash } from 'node:crypto'
import { isSecretHeader } from '../delivery/stored-headers.ts'
import type { HeaderPair } from '../store/capture-store.ts'

/** Headers as they are shown: of those that prove or grant something, only whether two are the same can be seen. */
export function maskedHeaders(headers: readonly HeaderPair[]): readonly HeaderPair[] {
  return headers.map(([name, value]) => [name, isSecretHeader(name.toLowerCase()) ? maskOf(value) : value])
}

/** What was shown masked, and comes back unchanged from whoever edited the rest, is what it was. */
export function unmaskedHeaders(edited: readonly HeaderPair[], original: readonly HeaderPair[]): readonly HeaderPair[] {
  const hidden = new Map(original.map(([, value]) => [maskOf(value), value]))
  return edited.map(([name, value]) => [name, hidden.get(value) ?? value])
}

function maskOf(value: string): string {
  return `[masked ${createHash('sha256').update(value, 'latin1').digest('hex').slice(0, 8)}]`
}
