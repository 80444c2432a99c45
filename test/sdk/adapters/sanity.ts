import type { Adapter } from '../adapter.ts'
import { emptyBody, notUtf8 } from '../differences/body.ts'
import { anyOfSeveral, spacesAllowed } from '../differences/signature.ts'
import { timestampAsWritten, timestampUnchecked } from '../differences/timestamp.ts'
import { textKeys } from '../keys.ts'
import { requireLibrary } from '../load-library.ts'
import { hmacOf, proofInHeader, timestampInList, withHeader } from '../places.ts'

type SanityLibrary = {
  readonly isValidSignature: (payload: string, signature: string, secret: string) => Promise<boolean>
  readonly encodeSignatureHeader: (payload: string, timestamp: number, secret: string) => Promise<string>
}

const header = 'sanity-webhook-signature'

export const sanity: Adapter = {
  provider: 'sanity',
  library: '@sanity/webhook',
  calls: 'isValidSignature',
  keys: textKeys,
  proof: proofInHeader(header, { separator: ',', entry: (signature) => `v1=${signature}` }),
  timestamp: timestampInList(header, 't', {
    unit: 'milliseconds',
    signAnew: (delivery, value, { library }) => {
      const made = Buffer.from(hmacOf(library, [`${value}.`, delivery.body]), 'hex').toString('base64url')
      return withHeader(delivery, header, `t=${value},v1=${made}`)
    },
  }),
  load: async () => {
    const library = requireLibrary('@sanity/webhook') as SanityLibrary
    return {
      verify: ({ text, headers, key }) => library.isValidSignature(text, headers[header] as string, key),
      sign: async ({ text, key, at }) => ({ [header]: await library.encodeSignatureHeader(text, at.getTime(), key) }),
    }
  },
  differences: [notUtf8, emptyBody, spacesAllowed, anyOfSeveral, timestampUnchecked, timestampAsWritten],
}
