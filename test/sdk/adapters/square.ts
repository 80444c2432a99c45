import type { Adapter } from '../adapter.ts'
import { notUtf8 } from '../differences/body.ts'
import { textKeys } from '../keys.ts'
import { requireLibrary } from '../load-library.ts'
import { proofInHeader } from '../places.ts'

type SquareLibrary = {
  readonly WebhooksHelper: {
    readonly verifySignature: (request: {
      requestBody: string
      signatureHeader: string
      signatureKey: string
      notificationUrl: string
    }) => Promise<boolean>
  }
}

export const square: Adapter = {
  provider: 'square',
  library: 'square',
  calls: 'WebhooksHelper.verifySignature',
  keys: textKeys,
  proof: proofInHeader('x-square-hmacsha256-signature'),
  load: async () => {
    const { WebhooksHelper } = requireLibrary('square') as SquareLibrary
    return {
      verify: ({ delivery, text, header, key }) =>
        WebhooksHelper.verifySignature({
          requestBody: text,
          signatureHeader: header('x-square-hmacsha256-signature'),
          signatureKey: key,
          notificationUrl: delivery.url,
        }),
    }
  },
  differences: [notUtf8],
}
