import type { Adapter } from '../adapter.ts'
import { believes } from '../asked.ts'
import { notJson, notUtf8 } from '../differences/body.ts'
import { textKeys } from '../keys.ts'
import { requireLibrary } from '../load-library.ts'
import { proofInHeader } from '../places.ts'

type EasypostLibrary = new (
  apiKey: string,
) => {
  readonly Utils: {
    readonly validateWebhook: (body: Buffer, headers: Readonly<Record<string, string>>, secret: string) => unknown
  }
}

export const easypost: Adapter = {
  provider: 'easypost',
  library: '@easypost/api',
  calls: 'Utils.validateWebhook',
  keys: textKeys,
  proof: proofInHeader('x-hmac-signature'),
  load: async () => {
    const EasyPost = requireLibrary('@easypost/api') as EasypostLibrary
    const { Utils } = new EasyPost('key')
    return { verify: ({ body, headers, key }) => believes(() => Utils.validateWebhook(body, headers, key)) }
  },
  differences: [notUtf8, notJson],
}
