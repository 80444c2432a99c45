import type { Adapter } from '../adapter.ts'
import { believes } from '../asked.ts'
import { notUtf8 } from '../differences/body.ts'
import { looseBase64 } from '../differences/signature.ts'
import { ed25519Keys } from '../keys.ts'
import { requireLibrary } from '../load-library.ts'
import { proofInHeader, timestampInHeader } from '../places.ts'

type TelnyxLibrary = {
  readonly TelnyxWebhook: new (
    publicKey: string,
  ) => { readonly verify: (payload: string, headers: Readonly<Record<string, string>>) => Promise<void> }
}

export const telnyx: Adapter = {
  provider: 'telnyx',
  library: 'telnyx',
  calls: 'TelnyxWebhook.verify',
  keys: ed25519Keys('base64'),
  proof: proofInHeader('telnyx-signature-ed25519'),
  timestamp: timestampInHeader('telnyx-timestamp'),
  load: async () => {
    const { TelnyxWebhook } = requireLibrary('telnyx/lib/webhooks') as TelnyxLibrary
    return { verify: ({ text, headers, key }) => believes(() => new TelnyxWebhook(key).verify(text, headers)) }
  },
  differences: [notUtf8, looseBase64],
}
