import { firstHeader } from '../../../src/delivery/delivery.ts'
import type { Adapter } from '../adapter.ts'
import { notUtf8 } from '../differences/body.ts'
import { fractionOfSecond, futureTimestamp, oddTimestamp } from '../differences/timestamp.ts'
import { textKeys } from '../keys.ts'
import { requireLibrary } from '../load-library.ts'
import { hmacOf, proofInHeader, timestampInHeader, withHeader } from '../places.ts'

type SignatureOptions = {
  readonly signatureVersion: 'v3'
  readonly signature: string
  readonly method: string
  readonly clientSecret: string
  readonly requestBody: string
  readonly url: string
  readonly timestamp: string
}
type HubspotLibrary = {
  readonly Signature: {
    readonly isValid: (options: SignatureOptions) => boolean
    readonly getSignature: (method: string, version: 'v3', options: Omit<SignatureOptions, 'signature'>) => string
  }
}

export const hubspot: Adapter = {
  provider: 'hubspot',
  library: '@hubspot/api-client',
  calls: 'Signature.isValid',
  keys: textKeys,
  proof: proofInHeader('x-hubspot-signature-v3'),
  timestamp: timestampInHeader('x-hubspot-request-timestamp', {
    unit: 'milliseconds',
    signAnew: (delivery, value, { library }) => {
      const made = hmacOf(library, [delivery.method, delivery.url, delivery.body, value], { encoding: 'base64' })
      return withHeader(delivery, 'x-hubspot-signature-v3', made)
    },
  }),
  load: async () => {
    const { Signature } = requireLibrary('@hubspot/api-client') as HubspotLibrary
    return {
      verify: ({ delivery, text, header, key }) =>
        Signature.isValid({
          signatureVersion: 'v3',
          signature: header('x-hubspot-signature-v3'),
          method: delivery.method,
          clientSecret: key,
          requestBody: text,
          url: delivery.url,
          timestamp: header('x-hubspot-request-timestamp'),
        }),
      sign: ({ delivery, text, key }) => ({
        'x-hubspot-signature-v3': Signature.getSignature(delivery.method, 'v3', {
          signatureVersion: 'v3',
          method: delivery.method,
          clientSecret: key,
          requestBody: text,
          url: delivery.url,
          timestamp: firstHeader(delivery.headers, 'x-hubspot-request-timestamp') ?? '',
        }),
      }),
    }
  },
  differences: [notUtf8, futureTimestamp, fractionOfSecond, oddTimestamp],
}
