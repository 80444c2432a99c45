import type { Adapter } from '../adapter.ts'
import { looseBase64 } from '../differences/signature.ts'
import { hexKeys } from '../keys.ts'
import { requireLibrary } from '../load-library.ts'
import { proofInBody } from '../places.ts'

type AdyenLibrary = {
  readonly hmacValidator: new () => { readonly validateHMAC: (item: object, key: string) => boolean }
}
type Notification = { readonly notificationItems: readonly { readonly NotificationRequestItem: object }[] }

/** Payment webhooks. The library is asked about each item, as its documents do. */
export const adyen: Adapter = {
  provider: 'adyen',
  library: '@adyen/api-library',
  calls: 'hmacValidator.validateHMAC',
  keys: hexKeys,
  bodies: 'own',
  proof: proofInBody('notificationItems', '0', 'NotificationRequestItem', 'additionalData', 'hmacSignature'),
  events: (random) => ({
    type: random.pick(['AUTHORISATION', 'CAPTURE', 'REFUND']),
    payload: {
      amount: random.pick([
        { currency: 'EUR', value: 1130 },
        { currency: 'JPY', value: 0 },
      ]),
      merchantReference: random.pick(['order-1001', 'Zoë 🎌', 'a:b:c', '', 'line\nfeed']),
      success: random.pick(['true', 'false']),
      ...random.pick([{}, { originalReference: '7914073381342284' }]),
    },
  }),
  load: async () => {
    const { hmacValidator: Validator } = requireLibrary('@adyen/api-library') as AdyenLibrary
    const validator = new Validator()
    return {
      verify: ({ text, key }) => {
        const { notificationItems } = JSON.parse(text) as Notification
        const isRight = ({ NotificationRequestItem }: Notification['notificationItems'][number]) =>
          validator.validateHMAC(NotificationRequestItem, key)
        return notificationItems.length > 0 && notificationItems.every(isRight)
      },
    }
  },
  differences: [looseBase64],
}
