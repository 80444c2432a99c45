import type { Adapter } from '../adapter.ts'
import { notUtf8 } from '../differences/body.ts'
import { spacesRefused } from '../differences/signature.ts'
import { fractionOfSecond, futureTimestamp } from '../differences/timestamp.ts'
import { hexKeys } from '../keys.ts'
import { requireLibrary } from '../load-library.ts'
import { proofInHeader, timestampInHeader } from '../places.ts'

type CanonicalRequest = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}
type ContentfulLibrary = {
  readonly verifyRequest: (secret: string, request: CanonicalRequest) => boolean
  readonly signRequest: (
    secret: string,
    request: CanonicalRequest,
    timestamp: number,
  ) => Readonly<Record<string, string>>
}

export const contentful: Adapter = {
  provider: 'contentful',
  library: '@contentful/node-apps-toolkit',
  calls: 'verifyRequest',
  keys: hexKeys,
  proof: proofInHeader('x-contentful-signature'),
  timestamp: timestampInHeader('x-contentful-timestamp', { unit: 'milliseconds' }),
  load: async () => {
    const { verifyRequest, signRequest } = requireLibrary('@contentful/node-apps-toolkit') as ContentfulLibrary
    return {
      verify: ({ delivery, text, headers, key }) =>
        verifyRequest(key, { method: delivery.method, path: pathOf(delivery.url), headers, body: text }),
      sign: ({ delivery, text, key, header, at }) => {
        const signed = { 'x-contentful-topic': header('x-contentful-topic') }
        const request = { method: delivery.method, path: pathOf(delivery.url), headers: signed, body: text }
        return signRequest(key, request, at.getTime())
      },
    }
  },
  differences: [notUtf8, spacesRefused, futureTimestamp, fractionOfSecond],
}

function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/?]*/, '')
}
