import type { Adapter } from '../adapter.ts'
import { believes } from '../asked.ts'
import { standardWebhooksDifferences } from '../differences/standard-webhooks.ts'
import { whsecKeys } from '../keys.ts'
import { requireLibrary } from '../load-library.ts'
import { standardWebhooksPlaces } from '../standard-webhooks-places.ts'

type StandardWebhooksLibrary = {
  readonly Webhook: new (
    secret: string,
  ) => {
    readonly verify: (
      payload: Buffer,
      headers: Readonly<Record<string, string>>,
      options: { jsonParse: boolean },
    ) => unknown
    readonly sign: (id: string, timestamp: Date, payload: string) => string
  }
}

export const standardWebhooks: Adapter = {
  provider: 'standard-webhooks',
  library: 'standardwebhooks',
  calls: 'Webhook.verify',
  keys: whsecKeys,
  ...standardWebhooksPlaces('webhook'),
  load: async () => {
    const { Webhook } = requireLibrary('standardwebhooks') as StandardWebhooksLibrary
    return {
      verify: ({ body, headers, key }) => believes(() => new Webhook(key).verify(body, headers, { jsonParse: false })),
      sign: ({ text, header, key, at }) => ({
        'webhook-signature': new Webhook(key).sign(header('webhook-id'), at, text),
      }),
    }
  },
  differences: standardWebhooksDifferences,
}
