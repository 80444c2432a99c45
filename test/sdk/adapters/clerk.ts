import type { Adapter } from '../adapter.ts'
import { byteOrderMark } from '../differences/body.ts'
import { spacesRefused } from '../differences/signature.ts'
import { standardWebhooksDifferences } from '../differences/standard-webhooks.ts'
import { whsecKeys } from '../keys.ts'
import { requireLibrary } from '../load-library.ts'
import { standardWebhooksPlaces } from '../standard-webhooks-places.ts'

type ClerkLibrary = {
  readonly verifyWebhook: (request: Request, options: { signingSecret: string }) => Promise<unknown>
}

/** What it says once the signature was right and the body could not be read as an event. */
const afterwards = /JSON|Cannot read properties of (?:undefined|null)/

export const clerk: Adapter = {
  provider: 'clerk',
  library: '@clerk/backend',
  calls: 'verifyWebhook',
  keys: whsecKeys,
  ...standardWebhooksPlaces('svix'),
  load: async () => {
    const { verifyWebhook } = requireLibrary('@clerk/backend/webhooks') as ClerkLibrary
    return {
      verify: async ({ delivery, body, headers, key }) => {
        const request = new Request(delivery.url, { method: 'POST', headers: { ...headers }, body })
        try {
          await verifyWebhook(request, { signingSecret: key })
          return true
        } catch (error) {
          return afterwards.test(String(error))
        }
      },
    }
  },
  differences: [...standardWebhooksDifferences, ...byteOrderMark, spacesRefused],
}
