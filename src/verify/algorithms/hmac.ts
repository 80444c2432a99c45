import { createHmac, type KeyObject } from 'node:crypto'
import { isSame } from '../bytes.ts'
import type { Algorithm, SignedContent } from './algorithm.ts'

/** Hashes that providers use with HMAC. */
export type HmacHash = 'sha1' | 'sha256' | 'sha384' | 'sha512'

const digestBytes = { sha1: 20, sha256: 32, sha384: 48, sha512: 64 } as const

/** Said of every provider that still uses it. */
export const sha1Weakness =
  'It signs with HMAC-SHA1. SHA-1 is broken for other uses; no way to forge an HMAC with it is known, but nobody would choose it today.'

/** HMAC with a shared secret. */
export function hmac(hash: HmacHash): Algorithm {
  const make = (key: KeyObject, content: SignedContent): Buffer => {
    const state = createHmac(hash, key)
    for (const piece of content) state.update(piece)
    // Memory of its own for the digest would take longer than its digits, there and back.
    return Buffer.from(state.digest('hex'), 'hex')
  }
  return {
    name: `HMAC-${hash.toUpperCase()}`,
    keyType: 'secret',
    ...(hash === 'sha1' && { weakness: sha1Weakness }),
    hasLength: (bytes) => bytes === digestBytes[hash],
    isMadeWith: (key, content, signatures) => {
      const expected = make(key, content)
      return signatures.some((signature) => isSame(signature, expected))
    },
    make,
  }
}
