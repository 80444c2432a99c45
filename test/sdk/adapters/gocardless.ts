import type { Adapter } from '../adapter.ts'
import { believes } from '../asked.ts'
import { hexAsFarAsItGoes, repeatedHeader, upperCaseHex } from '../differences/signature.ts'
import { textKeys } from '../keys.ts'
import { requireLibrary } from '../load-library.ts'
import { proofInHeader } from '../places.ts'

type GocardlessLibrary = { readonly verifySignature: (body: Buffer, secret: string, signature: string) => void }

export const gocardless: Adapter = {
  provider: 'gocardless',
  library: 'gocardless-nodejs',
  calls: 'webhooks.verifySignature',
  keys: textKeys,
  proof: proofInHeader('webhook-signature'),
  load: async () => {
    const library = requireLibrary('gocardless-nodejs/webhooks') as GocardlessLibrary
    return {
      verify: ({ body, header, key }) =>
        believes(() => library.verifySignature(body, key, header('webhook-signature'))),
    }
  },
  differences: [upperCaseHex, repeatedHeader, hexAsFarAsItGoes],
}
