import https from 'node:https'
import { Readable } from 'node:stream'
import type { Adapter, Difference } from '../adapter.ts'
import { looseBase64 } from '../differences/signature.ts'
import { timestampUnchecked } from '../differences/timestamp.ts'
import { pemKeys } from '../keys.ts'
import { requireFresh } from '../load-library.ts'
import { proofInBody } from '../places.ts'

type MessageValidator = new () => {
  readonly validate: (message: string, done: (error: Error | null) => void) => void
}

const keys = pemKeys('rsa')
const timestamp = proofInBody('Timestamp')

const otherAddress: Difference = {
  name: 'Odd address of a certificate',
  reason:
    'The library takes any address of the host that ends in .pem. We take the form that Amazon writes, in lower case and without a query.',
  we: 'refuse',
  isMeant: ({ asked }) => !/"SigningCertURL":"https:\/\/sns\.[a-z0-9-]+\.amazonaws\.com\/[\w-]+\.pem"/.test(asked.text),
}

export const awsSns: Adapter = {
  provider: 'aws-sns',
  library: 'sns-validator',
  calls: 'MessageValidator.validate',
  keys,
  bodies: 'own',
  proof: proofInBody('Signature'),
  timestamp: { unit: 'iso8601', ...timestamp },
  events: (random) => ({
    payload: {
      SignatureVersion: random.pick(['1', '2']),
      Message: random.pick(['{"state":"paid"}', 'Grüße, Zoë 🎌', 'two\nlines', '\u0000 \u2028', 'a'.repeat(50_000)]),
      ...random.pick([{}, { Subject: 'Order paid' }, { Subject: 'Zoë' }]),
      UnsubscribeURL: 'https://sns.eu-central-1.amazonaws.com/?Action=Unsubscribe',
    },
  }),
  load: async () => {
    const validators = new Map(keys.map(({ library: key }) => [key, new (copyFor())()]))
    return {
      verify: ({ text, key }) =>
        serving(
          key,
          () => new Promise((resolve) => validators.get(key)?.validate(text, (error) => resolve(error === null))),
        ),
    }
  },
  differences: [looseBase64, otherAddress, timestampUnchecked],
}

/** It keeps certificates by their address, so each key needs a copy of its own. */
function copyFor(): MessageValidator {
  return requireFresh('sns-validator') as MessageValidator
}

/** It fetches the certificate: here a public key, which its verification takes as well. */
async function serving(key: string, work: () => Promise<boolean>): Promise<boolean> {
  const { get } = https
  const answer = (_address: string, done: (response: object) => void) => {
    done(Object.assign(Readable.from([key]), { statusCode: 200 }))
    return { on: () => undefined }
  }
  https.get = answer as unknown as typeof get
  try {
    return await work()
  } finally {
    https.get = get
  }
}
