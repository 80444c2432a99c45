import type { Adapter } from '../adapter.ts'
import { notUtf8 } from '../differences/body.ts'
import { repeatedHeader, spacesAllowed, textAfterSignature } from '../differences/signature.ts'
import { fractionOfSecond, futureTimestamp, oddTimestamp, timestampAsWritten } from '../differences/timestamp.ts'
import { textKeys } from '../keys.ts'
import { requireLibrary } from '../load-library.ts'
import { hmacOf, proofInHeader, timestampInList, withHeader } from '../places.ts'

type PaddleLibrary = {
  readonly Paddle: new (
    apiKey: string,
  ) => {
    readonly webhooks: {
      readonly isSignatureValid: (body: string, secret: string, signature: string) => Promise<boolean>
    }
  }
}

export const paddle: Adapter = {
  provider: 'paddle',
  library: '@paddle/paddle-node-sdk',
  calls: 'webhooks.isSignatureValid',
  keys: textKeys,
  proof: proofInHeader('paddle-signature', { separator: ';', entry: (signature) => `h1=${signature}` }),
  timestamp: timestampInList('paddle-signature', 'ts', {
    signAnew: (delivery, value, { library }) =>
      withHeader(delivery, 'paddle-signature', `ts=${value};h1=${hmacOf(library, [`${value}:`, delivery.body])}`),
  }),
  load: async () => {
    const { Paddle } = requireLibrary('@paddle/paddle-node-sdk') as PaddleLibrary
    const { webhooks } = new Paddle('key')
    return { verify: ({ text, header, key }) => webhooks.isSignatureValid(text, key, header('paddle-signature')) }
  },
  differences: [
    notUtf8,
    spacesAllowed,
    textAfterSignature,
    repeatedHeader,
    futureTimestamp,
    fractionOfSecond,
    oddTimestamp,
    timestampAsWritten,
  ],
}
