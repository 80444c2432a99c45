import type { Adapter } from '../adapter.ts'
import { believesBeforeParsing } from '../asked.ts'
import { standardWebhooksDifferences } from '../differences/standard-webhooks.ts'
import { textKeys } from '../keys.ts'
import { requireLibrary } from '../load-library.ts'
import { standardWebhooksPlaces } from '../standard-webhooks-places.ts'

type StandardWebhooksLibrary = {
  readonly Webhook: new (
    secret: string,
  ) => { readonly verify: (payload: Buffer, headers: Readonly<Record<string, string>>) => unknown }
}

/** It has no library of its own: its documents ask for this one, with the secret in base64. */
export const bigcommerce: Adapter = {
  provider: 'bigcommerce',
  library: 'standardwebhooks',
  calls: 'Webhook.verify',
  keys: textKeys,
  ...standardWebhooksPlaces('webhook', (secret) => Buffer.from(secret, 'utf8')),
  load: async () => {
    const { Webhook } = requireLibrary('standardwebhooks') as StandardWebhooksLibrary
    return {
      verify: ({ body, headers, key }) =>
        believesBeforeParsing(() => new Webhook(Buffer.from(key).toString('base64')).verify(body, headers)),
    }
  },
  differences: standardWebhooksDifferences,
}
