import { createHash } from 'node:crypto'
import type { Adapter, Asked } from '../adapter.ts'
import { timestampUnchecked } from '../differences/timestamp.ts'
import { textKeys } from '../keys.ts'
import { requireLibrary } from '../load-library.ts'
import { proofInHeader, timestampInToken } from '../places.ts'

type VonageLibrary = { readonly verifySignature: (token: string, secret: string) => boolean }

const proof = proofInHeader('authorization')

/** The library verifies the token alone; its documents say how to compare the body. */
export const vonage: Adapter = {
  provider: 'vonage',
  library: '@vonage/jwt',
  calls: 'verifySignature',
  keys: textKeys,
  proof,
  timestamp: timestampInToken(proof, 'iat'),
  load: async () => {
    const { verifySignature } = requireLibrary('@vonage/jwt') as VonageLibrary
    return { verify: (asked) => verifySignature(tokenOf(asked), asked.key) && isOfThisBody(asked) }
  },
  differences: [timestampUnchecked],
}

function tokenOf({ header }: Asked): string {
  return /^Bearer (.+)$/.exec(header('authorization'))?.[1] ?? ''
}

function isOfThisBody(asked: Asked): boolean {
  const claims = JSON.parse(Buffer.from(tokenOf(asked).split('.')[1] ?? '', 'base64url').toString('utf8')) as {
    readonly payload_hash: string
  }
  return claims.payload_hash === createHash('sha256').update(asked.body).digest('hex')
}
