import type { Adapter } from '../adapter.ts'
import { looseBase64 } from '../differences/signature.ts'
import { standardWebhooksDifferences } from '../differences/standard-webhooks.ts'
import { fractionOfSecond } from '../differences/timestamp.ts'
import { textKeys } from '../keys.ts'
import { requireLibrary } from '../load-library.ts'
import { standardWebhooksPlaces } from '../standard-webhooks-places.ts'

type PolarLibrary = {
  readonly webhooks: {
    readonly validateEvent: (
      body: string,
      headers: Readonly<Record<string, string>>,
      secret: string,
    ) => Promise<unknown>
  }
}

/** What it throws once the signature was right: no JSON, or a type that it does not know. */
const afterwards = new Set(['PolarWebhookError', 'PolarWebhookUnknownTypeError'])

export const polar: Adapter = {
  provider: 'polar',
  library: '@polar-sh/sdk',
  calls: 'webhooks.validateEvent',
  keys: textKeys,
  ...standardWebhooksPlaces('webhook', (secret) => Buffer.from(secret, 'utf8')),
  load: async () => {
    const { webhooks } = requireLibrary('@polar-sh/sdk/2026-10') as PolarLibrary
    return {
      verify: async ({ text, headers, key }) => {
        try {
          await webhooks.validateEvent(text, headers, key)
          return true
        } catch (error) {
          return error instanceof Error && afterwards.has(error.name)
        }
      },
    }
  },
  differences: [...standardWebhooksDifferences, looseBase64, fractionOfSecond],
}
