import type { Delivery } from '../../../src/delivery/delivery.ts'
import type { Adapter } from '../adapter.ts'
import { fractionOfSecond, oddTimestamp } from '../differences/timestamp.ts'
import { textKeys } from '../keys.ts'
import { importLibrary } from '../load-library.ts'
import { hmacOf, proofInHeader, withHeader } from '../places.ts'

type LinearLibrary = {
  readonly LinearWebhookClient: new (
    secret: string,
  ) => { readonly verify: (body: Buffer, signature: string) => boolean }
}

const stamp = /("webhookTimestamp":\s*)([^,}\s]*)/

export const linear: Adapter = {
  provider: 'linear',
  library: '@linear/sdk',
  calls: 'LinearWebhookClient.verify',
  keys: textKeys,
  proof: proofInHeader('linear-signature'),
  timestamp: {
    unit: 'milliseconds',
    read: (delivery) => stamp.exec(textOf(delivery))?.[2] ?? '',
    write: withStamp,
    signAnew: (delivery, value, { library }) => {
      const stamped = withStamp(delivery, value)
      return withHeader(stamped, 'linear-signature', hmacOf(library, [stamped.body]))
    },
  },
  load: async () => {
    const { LinearWebhookClient } = (await importLibrary('@linear/sdk/webhooks')) as LinearLibrary
    return { verify: ({ body, header, key }) => new LinearWebhookClient(key).verify(body, header('linear-signature')) }
  },
  differences: [fractionOfSecond, oddTimestamp],
}

function withStamp(delivery: Delivery, value: string): Delivery {
  return { ...delivery, body: Buffer.from(textOf(delivery).replace(stamp, `$1${value}`)) }
}

function textOf({ body }: Delivery): string {
  return Buffer.from(body).toString('utf8')
}
