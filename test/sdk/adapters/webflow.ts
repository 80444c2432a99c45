import type { Adapter } from '../adapter.ts'
import { notUtf8 } from '../differences/body.ts'
import { oddTimestamp, timestampUnchecked } from '../differences/timestamp.ts'
import { textKeys } from '../keys.ts'
import { requireLibrary } from '../load-library.ts'
import { hmacOf, proofInHeader, timestampInHeader, withHeader } from '../places.ts'

type WebflowLibrary = {
  readonly WebflowClient: new (options: {
    accessToken: string
  }) => {
    readonly webhooks: {
      readonly verifySignature: (request: {
        headers: Readonly<Record<string, string>>
        body: string
        secret: string
      }) => Promise<boolean>
    }
  }
}

export const webflow: Adapter = {
  provider: 'webflow',
  library: 'webflow-api',
  calls: 'webhooks.verifySignature',
  keys: textKeys,
  proof: proofInHeader('x-webflow-signature'),
  timestamp: timestampInHeader('x-webflow-timestamp', {
    unit: 'milliseconds',
    signAnew: (delivery, value, { library }) =>
      withHeader(delivery, 'x-webflow-signature', hmacOf(library, [`${value}:`, delivery.body])),
  }),
  load: async () => {
    const { WebflowClient } = requireLibrary('webflow-api') as WebflowLibrary
    const { webhooks } = new WebflowClient({ accessToken: 'token' })
    return { verify: ({ text, headers, key }) => webhooks.verifySignature({ headers, body: text, secret: key }) }
  },
  differences: [notUtf8, timestampUnchecked, oddTimestamp],
}
