import type { Adapter } from '../adapter.ts'
import { notUtf8 } from '../differences/body.ts'
import { textAfterSignature } from '../differences/signature.ts'
import { futureTimestamp, oddTimestamp } from '../differences/timestamp.ts'
import { textKeys } from '../keys.ts'
import { requireLibrary } from '../load-library.ts'
import { hmacOf, proofInHeader, timestampInHeader, withHeader } from '../places.ts'

type SlackLibrary = {
  readonly isValidSlackRequest: (options: {
    signingSecret: string
    body: string
    headers: Readonly<Record<string, string>>
    nowMilliseconds: number
  }) => boolean
}

export const slack: Adapter = {
  provider: 'slack',
  library: '@slack/bolt',
  calls: 'isValidSlackRequest',
  keys: textKeys,
  proof: proofInHeader('x-slack-signature'),
  timestamp: timestampInHeader('x-slack-request-timestamp', {
    signAnew: (delivery, value, { library }) =>
      withHeader(delivery, 'x-slack-signature', `v0=${hmacOf(library, [`v0:${value}:`, delivery.body])}`),
  }),
  load: async () => {
    const { isValidSlackRequest } = requireLibrary('@slack/bolt/dist/receivers/verify-request.js') as SlackLibrary
    return {
      verify: ({ text, headers, key, at }) =>
        isValidSlackRequest({ signingSecret: key, body: text, headers, nowMilliseconds: at.getTime() }),
    }
  },
  differences: [notUtf8, textAfterSignature, futureTimestamp, oddTimestamp],
}
