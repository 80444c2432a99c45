import type { Adapter } from '../adapter.ts'
import { timestampUnchecked } from '../differences/timestamp.ts'
import { ed25519Keys } from '../keys.ts'
import { requireLibrary } from '../load-library.ts'
import { proofInHeader, timestampInHeader } from '../places.ts'

type DiscordLibrary = {
  readonly verifyKey: (body: Uint8Array, signature: string, timestamp: string, publicKey: string) => Promise<boolean>
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
  differences: [timestampUnchecked],
}
