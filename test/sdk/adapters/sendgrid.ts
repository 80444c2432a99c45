import type { Adapter } from '../adapter.ts'
import { notUtf8 } from '../differences/body.ts'
import { looseBase64, repeatedHeader } from '../differences/signature.ts'
import { timestampUnchecked } from '../differences/timestamp.ts'
import { pemKeys } from '../keys.ts'
import { requireLibrary } from '../load-library.ts'
import { proofInHeader, timestampInHeader } from '../places.ts'

type SendgridLibrary = {
  readonly EventWebhook: new () => {
    readonly convertPublicKeyToECDSA: (publicKey: string) => unknown
    readonly verifySignature: (publicKey: unknown, payload: Buffer, signature: string, timestamp: string) => boolean
  }
}

const signature = 'x-twilio-email-event-webhook-signature'
const timestamp = 'x-twilio-email-event-webhook-timestamp'

export const sendgrid: Adapter = {
  provider: 'sendgrid',
  library: '@sendgrid/eventwebhook',
  calls: 'EventWebhook.verifySignature',
  keys: pemKeys('ec'),
  proof: proofInHeader(signature),
  timestamp: timestampInHeader(timestamp),
  load: async () => {
    const { EventWebhook } = requireLibrary('@sendgrid/eventwebhook') as SendgridLibrary
    const webhook = new EventWebhook()
    return {
      verify: ({ body, header, key }) =>
        webhook.verifySignature(webhook.convertPublicKeyToECDSA(key), body, header(signature), header(timestamp)),
    }
  },
  differences: [notUtf8, looseBase64, repeatedHeader, timestampUnchecked],
}
