import type { Adapter } from '../adapter.ts'
import { textKeys } from '../keys.ts'
import { requireLibrary } from '../load-library.ts'
import { proofInHeader } from '../places.ts'

type NotionLibrary = {
  readonly verifyWebhookSignature: (request: {
    body: Buffer
    signature: string
    verificationToken: string
  }) => Promise<boolean>
  readonly signWebhookPayload: (request: { body: Buffer; verificationToken: string }) => Promise<string>
}

export const notion: Adapter = {
  provider: 'notion',
  library: '@notionhq/client',
  calls: 'verifyWebhookSignature',
  keys: textKeys,
  proof: proofInHeader('x-notion-signature'),
  load: async () => {
    const library = requireLibrary('@notionhq/client') as NotionLibrary
    return {
      verify: ({ body, header, key }) =>
        library.verifyWebhookSignature({ body, signature: header('x-notion-signature'), verificationToken: key }),
      sign: async ({ body, key }) => ({
        'x-notion-signature': await library.signWebhookPayload({ body, verificationToken: key }),
      }),
    }
  },
  differences: [],
}
