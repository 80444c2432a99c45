import type { Adapter } from '../adapter.ts'
import { believes } from '../asked.ts'
import { notJson, notUtf8, rewrittenBody } from '../differences/body.ts'
import {
  anyOfSeveral,
  joinedHeaders,
  otherVersion,
  repeatedHeader,
  spacesAllowed,
  textAfterSignature,
} from '../differences/signature.ts'
import { fractionOfSecond, futureTimestamp, oddTimestamp } from '../differences/timestamp.ts'
import { textKeys } from '../keys.ts'
import { requireLibrary } from '../load-library.ts'
import { hmacOf, proofInHeader, timestampInList, withHeader } from '../places.ts'

type WorkosLibrary = {
  readonly WorkOS: new (
    apiKey: string,
  ) => {
    readonly webhooks: {
      readonly verifyHeader: (request: { payload: unknown; sigHeader: string; secret: string }) => Promise<boolean>
    }
  }
}

/** Its library asks for the parsed body. */
export const workos: Adapter = {
  provider: 'workos',
  library: '@workos-inc/node',
  calls: 'webhooks.verifyHeader',
  keys: textKeys,
  proof: proofInHeader('workos-signature', { separator: ', ', entry: (signature) => `v1=${signature}` }),
  timestamp: timestampInList('workos-signature', 't', {
    unit: 'milliseconds',
    signAnew: (delivery, value, { library }) =>
      withHeader(delivery, 'workos-signature', `t=${value}, v1=${hmacOf(library, [`${value}.`, delivery.body])}`),
  }),
  load: async () => {
    const { WorkOS } = requireLibrary('@workos-inc/node') as WorkosLibrary
    const { webhooks } = new WorkOS('sk_key')
    return {
      verify: ({ text, header, key }) =>
        believes(() =>
          webhooks.verifyHeader({ payload: JSON.parse(text), sigHeader: header('workos-signature'), secret: key }),
        ),
    }
  },
  differences: [
    notUtf8,
    notJson,
    ...rewrittenBody,
    spacesAllowed,
    textAfterSignature,
    repeatedHeader,
    joinedHeaders,
    anyOfSeveral,
    otherVersion,
    futureTimestamp,
    fractionOfSecond,
    oddTimestamp,
  ],
}
