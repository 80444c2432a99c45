import type { Adapter, Key } from '../adapter.ts'
import { believes } from '../asked.ts'
import { requireLibrary } from '../load-library.ts'
import { proofInForm } from '../places.ts'

type BraintreeLibrary = {
  readonly Environment: { readonly Sandbox: unknown }
  readonly BraintreeGateway: new (
    settings: Readonly<Record<string, unknown>>,
  ) => { readonly webhookNotification: { readonly parse: (signature: string, payload: string) => Promise<unknown> } }
}

const keyOf = (publicKey: string, secret: string): Key => ({
  options: { publicKey, secret },
  library: `${publicKey} ${secret}`,
})

export const braintree: Adapter = {
  provider: 'braintree',
  library: 'braintree',
  calls: 'webhookNotification.parse',
  keys: [keyOf('first_public_key', 'first_private_key'), keyOf('other_public_key', 'other_private_key')],
  bodies: 'own',
  proof: proofInForm('bt_signature'),
  load: async () => {
    const { BraintreeGateway, Environment } = requireLibrary('braintree') as BraintreeLibrary
    return {
      verify: ({ text, key }) => {
        const [publicKey, privateKey] = key.split(' ')
        const form = new URLSearchParams(text)
        const gateway = new BraintreeGateway({
          environment: Environment.Sandbox,
          merchantId: 'merchant',
          publicKey,
          privateKey,
        })
        return believes(() =>
          gateway.webhookNotification.parse(form.get('bt_signature') ?? '', form.get('bt_payload') ?? ''),
        )
      },
    }
  },
  differences: [],
}
