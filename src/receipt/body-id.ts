import { randomFillSync } from 'node:crypto'

/** Random bytes are fetched for many ids at once: each fetch costs more than the ids. */
const pool = Buffer.alloc(16 * 256)
let used = pool.length

/** A time-ordered UUID (version 7, RFC 9562): rows written together lie together. */
export function createBodyId(at: Date): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  pool.writeUIntBE(at.getTime(), used, 6)
  pool[used + 6] = 0x70 | ((pool[used + 6] ?? 0) & 0x0f)
  pool[used + 8] = 0x80 | ((pool[used + 8] ?? 0) & 0x3f)
  const hex = pool.toString('hex', used, used + 16)
  used += 16
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
