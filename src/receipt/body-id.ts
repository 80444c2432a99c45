import { randomBytes } from 'node:crypto'

/** A time-ordered UUID (version 7, RFC 9562): rows written together lie together. */
export function createBodyId(at: Date): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(at.getTime(), 0, 6)
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
