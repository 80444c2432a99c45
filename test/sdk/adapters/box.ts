import type { Adapter } from '../adapter.ts'
import { notUtf8 } from '../differences/body.ts'
import { looseBase64, repeatedHeader } from '../differences/signature.ts'
import { slightlyAhead } from '../differences/timestamp.ts'
import { textKeys } from '../keys.ts'
import { requireLibrary } from '../load-library.ts'
import { proofInHeader, timestampInHeader } from '../places.ts'

type BoxLibrary = {
  readonly WebhooksManager: {
    readonly validateMessage: (
      body: string,
      headers: Readonly<Record<string, string>>,
      primaryKey: string,
    ) => Promise<boolean>
  }
}

export const box: Adapter = {
  provider: 'box',
  library: 'box-node-sdk',
  calls: 'WebhooksManager.validateMessage',
  keys: textKeys,
  proof: proofInHeader('box-signature-primary'),
  timestamp: timestampInHeader('box-delivery-timestamp', { unit: 'iso8601' }),
  load: async () => {
    const { WebhooksManager } = requireLibrary('box-node-sdk/lib/managers/webhooks') as BoxLibrary
    return { verify: ({ text, headers, key }) => WebhooksManager.validateMessage(text, headers, key) }
  },
  differences: [notUtf8, repeatedHeader, looseBase64, slightlyAhead],
}
