import type { Adapter } from '../adapter.ts'
import { notUtf8 } from '../differences/body.ts'
import { textKeys } from '../keys.ts'
import { requireLibrary } from '../load-library.ts'
import { proofInHeader } from '../places.ts'

type CoinbaseLibrary = {
  readonly Webhook: {
    readonly verifySigHeader: (payload: string, signature: string, secret: string) => boolean
    readonly computeSignature: (payload: string, secret: string) => string
  }
}

export const coinbaseCommerce: Adapter = {
  provider: 'coinbase-commerce',
  library: 'coinbase-commerce-node',
  calls: 'Webhook.verifySigHeader',
  keys: textKeys,
  proof: proofInHeader('x-cc-webhook-signature'),
  load: async () => {
    const { Webhook } = requireLibrary('coinbase-commerce-node') as CoinbaseLibrary
    return {
      verify: ({ text, header, key }) => Webhook.verifySigHeader(text, header('x-cc-webhook-signature'), key),
      sign: ({ text, key }) => ({ 'x-cc-webhook-signature': Webhook.computeSignature(text, key) }),
    }
  },
  differences: [notUtf8],
}
