import { parse } from 'node:querystring'
import type { Adapter } from '../adapter.ts'
import { manySignatures, repeatedHeader, sameTwice, spacesAllowed } from '../differences/signature.ts'
import { textKeys } from '../keys.ts'
import { requireLibrary } from '../load-library.ts'
import { proofInHeader } from '../places.ts'

type PlivoLibrary = {
  readonly validateV3Signature: (
    method: string,
    url: string,
    nonce: string,
    authToken: string,
    signature: string,
    form: object,
  ) => boolean
}

export const plivo: Adapter = {
  provider: 'plivo',
  variant: 'V3',
  library: 'plivo',
  calls: 'validateV3Signature',
  keys: textKeys,
  bodies: 'form',
  proof: proofInHeader('x-plivo-signature-v3', { separator: ',', entry: String }),
  events: (random) => ({
    url: `https://hooks.example.com/plivo/answer${random.pick(['', '?lang=de', '?b=2&a=1&a=0', '?name=Zo%C3%AB+B'])}`,
    payload: { CallUUID: random.bytes(16).toString('hex'), Event: 'Hangup', CallStatus: 'completed', Duration: '37' },
  }),
  load: async () => {
    const { validateV3Signature } = requireLibrary('plivo') as PlivoLibrary
    return {
      verify: ({ delivery, text, header, key }) =>
        validateV3Signature(
          delivery.method,
          delivery.url,
          header('x-plivo-signature-v3-nonce'),
          key,
          header('x-plivo-signature-v3'),
          { ...parse(text) },
        ),
    }
  },
  differences: [spacesAllowed, repeatedHeader, manySignatures, sameTwice],
}
