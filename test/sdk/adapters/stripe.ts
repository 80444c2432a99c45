import type { Adapter } from '../adapter.ts'
import { believes } from '../asked.ts'
import { byteOrderMark, notUtf8 } from '../differences/body.ts'
import {
  emptyEntryAllowed,
  joinedHeaders,
  manySignatures,
  repeatedHeader,
  spacesAllowed,
  textAfterSignature,
} from '../differences/signature.ts'
import { futureTimestamp, oddTimestamp, timestampAsWritten } from '../differences/timestamp.ts'
import { textKeys } from '../keys.ts'
import { requireLibrary } from '../load-library.ts'
import { hmacOf, proofInHeader, timestampInList, withHeader } from '../places.ts'

type StripeLibrary = {
  readonly webhooks: {
    readonly signature: {
      readonly verifyHeader: (
        payload: Buffer,
        header: string,
        secret: string,
        tolerance: undefined,
        cryptoProvider: undefined,
        receivedAt: number,
      ) => boolean
    }
    readonly generateTestHeaderString: (options: { payload: string; secret: string; timestamp: number }) => string
  }
}

/** Asked for the header alone: `constructEvent` would parse the body as well. */
export const stripe: Adapter = {
  provider: 'stripe',
  library: 'stripe',
  calls: 'webhooks.signature.verifyHeader',
  keys: textKeys,
  proof: proofInHeader('stripe-signature', { separator: ',', entry: (signature) => `v1=${signature}` }),
  timestamp: timestampInList('stripe-signature', 't', {
    signAnew: (delivery, value, { library }) =>
      withHeader(delivery, 'stripe-signature', `t=${value},v1=${hmacOf(library, [`${value}.`, delivery.body])}`),
  }),
  load: async () => {
    const { webhooks } = requireLibrary('stripe') as StripeLibrary
    return {
      verify: ({ body, header, key, at }) =>
        believes(() =>
          webhooks.signature.verifyHeader(body, header('stripe-signature'), key, undefined, undefined, at.getTime()),
        ),
      sign: ({ text, key, at }) => ({
        'stripe-signature': webhooks.generateTestHeaderString({
          payload: text,
          secret: key,
          timestamp: Math.floor(at.getTime() / 1000),
        }),
      }),
    }
  },
  differences: [
    notUtf8,
    ...byteOrderMark,
    spacesAllowed,
    textAfterSignature,
    repeatedHeader,
    joinedHeaders,
    manySignatures,
    emptyEntryAllowed,
    futureTimestamp,
    oddTimestamp,
    timestampAsWritten,
  ],
}
