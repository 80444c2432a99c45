import type { Adapter } from '../adapter.ts'
import { believesBeforeParsing } from '../asked.ts'
import { standardWebhooksDifferences } from '../differences/standard-webhooks.ts'
import { whsecKeys } from '../keys.ts'
import { requireLibrary } from '../load-library.ts'
import { standardWebhooksPlaces } from '../standard-webhooks-places.ts'

type SvixLibrary = {
  readonly Webhook: new (
    secret: string,
  ) => {
    readonly verify: (payload: Buffer, headers: Readonly<Record<string, string>>) => unknown
    readonly sign: (id: string, timestamp: Date, payload: string) => string
  }
}

export const svix: Adapter = {
  provider: 'svix',
  library: 'svix',
  calls: 'Webhook.verify',
  keys: whsecKeys,
  ...standardWebhooksPlaces('svix'),
  load: async () => {
    const { Webhook } = requireLibrary('svix') as SvixLibrary
    return {
      verify: ({ body, headers, key }) => believesBeforeParsing(() => new Webhook(key).verify(body, headers)),
      sign: ({ text, header, key, at }) => ({ 'svix-signature': new Webhook(key).sign(header('svix-id'), at, text) }),
    }
  },
  differences: standardWebhooksDifferences,
}
