import { createHmac, type KeyObject } from 'node:crypto'
import { isSame } from '../bytes.ts'
import type { Algorithm, SignedContent } from './algorithm.ts'
import { type HmacHash, shortHmac } from './short-hmac.ts'

export type { HmacHash } from './short-hmac.ts'

const digestBytes = { sha1: 20, sha256: 32, sha384: 48, sha512: 64 } as const

/** Said of every provider that still uses it. */
export const sha1Weakness =
  'It signs with HMAC-SHA1. SHA-1 is broken for other uses; no way to forge an HMAC with it is known, but nobody would choose it today.'

/** HMAC with a shared secret. */
export function hmac(hash: HmacHash): Algorithm {
  const make = (key: KeyObject, content: SignedContent): Buffer => {
    const known = shortHmac(hash, key, content)
    if (known !== undefined) return known
    const state = createHmac(hash, key)
    for (const piece of content) state.update(piece)
    return state.digest()
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
