import type { Adapter, Difference } from '../adapter.ts'
import { timestampUnchecked } from '../differences/timestamp.ts'
import { ed25519Keys } from '../keys.ts'
import { requireLibrary } from '../load-library.ts'
import { proofInHeader, timestampInHeader } from '../places.ts'

type DiscordLibrary = {
  readonly verifyKey: (body: Uint8Array, signature: string, timestamp: string, publicKey: string) => Promise<boolean>
}

const lastDigit: Difference = {
  name: 'Last digit left out',
  reason:
    'The library takes a single digit at the end for a byte, which is right if that byte is zero. We ask for both digits.',
  we: 'refuse',
  isMeant: ({ proof, rightProof }) => proof === rightProof.slice(0, -1),
}

export const discord: Adapter = {
  provider: 'discord',
  library: 'discord-interactions',
  calls: 'verifyKey',
  keys: ed25519Keys('hex'),
  proof: proofInHeader('x-signature-ed25519'),
  timestamp: timestampInHeader('x-signature-timestamp'),
  load: async () => {
    const { verifyKey } = requireLibrary('discord-interactions') as DiscordLibrary
    return {
      verify: ({ body, header, key }) =>
        verifyKey(body, header('x-signature-ed25519'), header('x-signature-timestamp'), key),
    }
  },
  differences: [lastDigit, timestampUnchecked],
}
