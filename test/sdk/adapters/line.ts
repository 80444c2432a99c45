import type { Adapter } from '../adapter.ts'
import { looseBase64, repeatedHeader } from '../differences/signature.ts'
import { textKeys } from '../keys.ts'
import { requireLibrary } from '../load-library.ts'
import { proofInHeader } from '../places.ts'

type LineLibrary = { readonly validateSignature: (body: Buffer, channelSecret: string, signature: string) => boolean }

export const line: Adapter = {
  provider: 'line',
  library: '@line/bot-sdk',
  calls: 'validateSignature',
  keys: textKeys,
  proof: proofInHeader('x-line-signature'),
  load: async () => {
    const { validateSignature } = requireLibrary('@line/bot-sdk') as LineLibrary
    return { verify: ({ body, header, key }) => validateSignature(body, key, header('x-line-signature')) }
  },
  differences: [looseBase64, repeatedHeader],
}
