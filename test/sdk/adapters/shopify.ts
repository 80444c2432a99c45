import type { Adapter } from '../adapter.ts'
import { emptyBody, notUtf8 } from '../differences/body.ts'
import { spacesRefused } from '../differences/signature.ts'
import { textKeys } from '../keys.ts'
import { requireLibrary } from '../load-library.ts'
import { proofInHeader } from '../places.ts'

type ShopifyLibrary = {
  readonly shopifyApi: (settings: Readonly<Record<string, unknown>>) => {
    readonly webhooks: {
      readonly validate: (request: { rawBody: string; rawRequest: Request }) => Promise<{ readonly valid: boolean }>
    }
  }
}

export const shopify: Adapter = {
  provider: 'shopify',
  library: '@shopify/shopify-api',
  calls: 'webhooks.validate',
  keys: textKeys,
  proof: proofInHeader('x-shopify-hmac-sha256'),
  load: async () => {
    requireLibrary('@shopify/shopify-api/adapters/web-api')
    const { shopifyApi } = requireLibrary('@shopify/shopify-api') as ShopifyLibrary
    return {
      verify: async ({ delivery, text, headers, key }) => {
        const api = shopifyApi({
          apiKey: 'key',
          apiSecretKey: key,
          hostName: 'example.com',
          isEmbeddedApp: true,
          apiVersion: '2026-10',
          logger: { level: -1, log: () => undefined },
        })
        const rawRequest = new Request(delivery.url, { method: 'POST', headers: { ...headers } })
        return (await api.webhooks.validate({ rawBody: text, rawRequest })).valid
      },
    }
  },
  differences: [notUtf8, emptyBody, spacesRefused],
}
