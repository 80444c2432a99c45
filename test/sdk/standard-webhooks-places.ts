import { firstHeader } from '../../src/delivery/delivery.ts'
import type { Adapter } from './adapter.ts'
import { hmacOf, proofInHeader, timestampInHeader, withHeader } from './places.ts'

/** Where everything is in Standard Webhooks, under headers that start with `webhook` or `svix`. */
export function standardWebhooksPlaces(
  start: 'webhook' | 'svix',
  keyOf: (secret: string) => Buffer = (secret) => Buffer.from(secret.replace('whsec_', ''), 'base64'),
): Pick<Adapter, 'proof' | 'timestamp'> {
  const header = `${start}-signature`
  return {
    proof: proofInHeader(header, { separator: ' ', entry: (signature) => `v1,${signature}` }),
    timestamp: timestampInHeader(`${start}-timestamp`, {
      signAnew: (delivery, value, { library }) => {
        const id = firstHeader(delivery.headers, `${start}-id`) ?? ''
        const made = hmacOf(keyOf(library), [`${id}.${value}.`, delivery.body], { encoding: 'base64' })
        return withHeader(delivery, header, `v1,${made}`)
      },
    }),
  }
}
