import { parse } from 'node:querystring'
import type { Adapter } from '../adapter.ts'
import { textKeys } from '../keys.ts'
import { requireLibrary } from '../load-library.ts'
import { proofInHeader } from '../places.ts'

type TwilioLibrary = {
  readonly validateRequest: (authToken: string, signature: string, url: string, params: object) => boolean
  readonly getExpectedTwilioSignature: (authToken: string, url: string, params: object) => string
}

export const twilio: Adapter = {
  provider: 'twilio',
  variant: 'with a form',
  library: 'twilio',
  calls: 'validateRequest',
  keys: textKeys,
  bodies: 'form',
  proof: proofInHeader('x-twilio-signature'),
  load: async () => {
    const { validateRequest, getExpectedTwilioSignature } = requireLibrary('twilio') as TwilioLibrary
    return {
      verify: ({ delivery, text, header, key }) =>
        validateRequest(key, header('x-twilio-signature'), delivery.url, parse(text)),
      sign: ({ delivery, text, key }) => ({
        'x-twilio-signature': getExpectedTwilioSignature(key, delivery.url, parse(text)),
      }),
    }
  },
  differences: [],
}
