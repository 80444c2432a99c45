import type { Adapter } from '../adapter.ts'
import { anyOfSeveral, spacesAllowed } from '../differences/signature.ts'
import { textKeys } from '../keys.ts'
import { requireLibrary } from '../load-library.ts'
import { proofInHeader } from '../places.ts'

type PlivoLibrary = {
  readonly validateSignature: (url: string, nonce: string, signature: string, authToken: string) => boolean
}

/** Covers the address alone. */
export const plivoV2: Adapter = {
  provider: 'plivo',
  variant: 'V2',
  library: 'plivo',
  calls: 'validateSignature',
  keys: textKeys,
  options: { signatureVersion: 'v2' },
  bodies: 'form',
  proof: proofInHeader('x-plivo-signature-v2'),
  load: async () => {
    const { validateSignature } = requireLibrary('plivo') as PlivoLibrary
    return {
      verify: ({ delivery, header, key }) =>
        validateSignature(delivery.url, header('x-plivo-signature-v2-nonce'), header('x-plivo-signature-v2'), key),
    }
  },
  differences: [spacesAllowed, anyOfSeveral],
}
