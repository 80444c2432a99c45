import type { Adapter } from '../adapter.ts'
import { believesBeforeParsing } from '../asked.ts'
import { standardWebhooksDifferences } from '../differences/standard-webhooks.ts'
import { whsecKeys } from '../keys.ts'
import { requireLibrary } from '../load-library.ts'
import { standardWebhooksPlaces } from '../standard-webhooks-places.ts'

type ResendLibrary = {
  readonly Resend: new (
    apiKey: string,
  ) => {
    readonly webhooks: {
      readonly verify: (request: {
        payload: string
        headers: { id: string; timestamp: string; signature: string }
        webhookSecret: string
      }) => unknown
    }
  }
}

export const resend: Adapter = {
  provider: 'resend',
  library: 'resend',
  calls: 'webhooks.verify',
  keys: whsecKeys,
  ...standardWebhooksPlaces('svix'),
  load: async () => {
    const { Resend } = requireLibrary('resend') as ResendLibrary
    const { webhooks } = new Resend('re_key')
    return {
      verify: ({ text, header, key }) =>
        believesBeforeParsing(() =>
          webhooks.verify({
            payload: text,
            headers: {
              id: header('svix-id'),
              timestamp: header('svix-timestamp'),
              signature: header('svix-signature'),
            },
            webhookSecret: key,
          }),
        ),
    }
  },
  differences: standardWebhooksDifferences,
}
