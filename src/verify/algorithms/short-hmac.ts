import { hash, type KeyObject } from 'node:crypto'

/** How much of a message each hash takes at a time. */
const blockBytes = { sha1: 64, sha256: 64, sha384: 128, sha512: 128 } as const

export type HmacHash = keyof typeof blockBytes

/** The key as RFC 2104 puts it before what is signed, and before the hash of that. The outer one has room for the hash. */
type Pads = { readonly inner: Uint8Array; readonly outer: Buffer }

const padsOf = { sha1: new WeakMap(), sha256: new WeakMap(), sha384: new WeakMap(), sha512: new WeakMap() } as Readonly<
  Record<HmacHash, WeakMap<KeyObject, Pads>>
>

/** Longer content is not worth a copy. */
const longestBytes = 32_768

/** Shared by all calls, because each ends before the next starts. */
const room = Buffer.allocUnsafeSlow(128 + longestBytes)

/**
 * HMAC (RFC 2104) by its definition, of content that is short; undefined for what is longer. Node makes an object for each HMAC, which costs
 * more than both hashes of a usual body, and again when it is collected.
 */
export function shortHmac(
  name: HmacHash,
  key: KeyObject,
  content: readonly (string | Uint8Array)[],
): Buffer | undefined {
  const { inner, outer } = padsOf[name].get(key) ?? makePads(name, key)
  room.set(inner)
  let end = inner.length
  for (const piece of content) {
    // A character has at most three bytes for each of its units.
    const mostBytes = typeof piece === 'string' ? piece.length * 3 : piece.length
    if (end + mostBytes > room.length) return undefined
    if (typeof piece === 'string') end += room.write(piece, end, 'utf8')
    else {
      room.set(piece, end)
      end += piece.length
    }
  }
  outer.write(hash(name, room.subarray(0, end), 'binary'), inner.length, 'binary')
  // As text, because memory of its own for each digest takes longer than to copy it from there.
  return Buffer.from(hash(name, outer, 'binary'), 'binary')
}

function makePads(name: HmacHash, key: KeyObject): Pads {
  const block = blockBytes[name]
  const secret = key.export()
  const short = secret.length > block ? hash(name, secret, 'buffer') : secret
  const inner = new Uint8Array(block).fill(0x36)
  const outer = Buffer.alloc(block + hash(name, '', 'buffer').length, 0x5c)
  for (const [index, byte] of short.entries()) {
    inner[index] = 0x36 ^ byte
    outer[index] = 0x5c ^ byte
  }
  const pads = { inner, outer }
  padsOf[name].set(key, pads)
  return pads
}
