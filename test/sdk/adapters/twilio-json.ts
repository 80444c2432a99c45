import type { Adapter } from '../adapter.ts'
import { notUtf8, rewrittenQuery } from '../differences/body.ts'
import { textKeys } from '../keys.ts'
import { requireLibrary } from '../load-library.ts'
import { proofInHeader } from '../places.ts'

type TwilioLibrary = {
  readonly validateRequestWithBody: (authToken: string, signature: string, url: string, body: string) => boolean
}

/** A body that is no form is covered by its hash in the address. */
export const twilioJson: Adapter = {
  provider: 'twilio',
  variant: 'with JSON',
  library: 'twilio',
  calls: 'validateRequestWithBody',
  keys: textKeys,
  proof: proofInHeader('x-twilio-signature'),
  events: (random) => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([{ specversion: '1.0', id: random.bytes(8).toString('hex'), data: { status: 'sent' } }]),
  }),
  load: async () => {
    const { validateRequestWithBody } = requireLibrary('twilio') as TwilioLibrary
    return {
      verify: ({ delivery, text, header, key }) =>
        validateRequestWithBody(key, header('x-twilio-signature'), delivery.url, text),
    }
  },
  differences: [notUtf8, rewrittenQuery],
}
