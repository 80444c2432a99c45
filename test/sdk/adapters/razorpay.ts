import type { Adapter } from '../adapter.ts'
import { notUtf8 } from '../differences/body.ts'
import { textKeys } from '../keys.ts'
import { requireLibrary } from '../load-library.ts'
import { proofInHeader } from '../places.ts'

type RazorpayLibrary = {
  readonly validateWebhookSignature: (body: string, signature: string, secret: string) => boolean
}

export const razorpay: Adapter = {
  provider: 'razorpay',
  library: 'razorpay',
  calls: 'Razorpay.validateWebhookSignature',
  keys: textKeys,
  proof: proofInHeader('x-razorpay-signature'),
  load: async () => {
    const library = requireLibrary('razorpay') as RazorpayLibrary
    return {
      verify: ({ text, header, key }) => library.validateWebhookSignature(text, header('x-razorpay-signature'), key),
    }
  },
  differences: [notUtf8],
}
