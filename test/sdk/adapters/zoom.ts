import type { Adapter } from '../adapter.ts'
import { notJson, notUtf8, rewrittenBody } from '../differences/body.ts'
import { oddTimestamp, timestampAsWritten, timestampUnchecked } from '../differences/timestamp.ts'
import { textKeys } from '../keys.ts'
import { requireLibrary } from '../load-library.ts'
import { hmacOf, proofInHeader, timestampInHeader, withHeader } from '../places.ts'

type ZoomLibrary = {
  readonly AwsLambdaReceiver: new (options: {
    webhooksSecretToken: string
  }) => {
    readonly start: () => (request: {
      body: string
      headers: Readonly<Record<string, string>>
      isBase64Encoded: boolean
    }) => Promise<{ readonly statusCode: number }>
  }
}

export const zoom: Adapter = {
  provider: 'zoom',
  library: '@zoom/rivet',
  calls: 'AwsLambdaReceiver',
  keys: textKeys,
  proof: proofInHeader('x-zm-signature'),
  timestamp: timestampInHeader('x-zm-request-timestamp', {
    signAnew: (delivery, value, { library }) =>
      withHeader(delivery, 'x-zm-signature', `v0=${hmacOf(library, [`v0:${value}:`, delivery.body])}`),
  }),
  load: async () => {
    const { AwsLambdaReceiver } = requireLibrary('@zoom/rivet/meetings') as ZoomLibrary
    // It prints every request.
    console.debug = () => undefined
    return {
      verify: async ({ text, headers, key }) => {
        const handle = new AwsLambdaReceiver({ webhooksSecretToken: key }).start()
        return (await handle({ body: text, headers, isBase64Encoded: false })).statusCode === 200
      },
    }
  },
  differences: [notUtf8, notJson, ...rewrittenBody, timestampUnchecked, oddTimestamp, timestampAsWritten],
}
