import type { Adapter } from '../adapter.ts'
import { believes } from '../asked.ts'
import { notUtf8 } from '../differences/body.ts'
import { emptyEntry, joinedHeaders, looseBase64, manySignatures, repeatedHeader } from '../differences/signature.ts'
import { oddTimestamp } from '../differences/timestamp.ts'
import { whsecKeys } from '../keys.ts'
import { requireLibrary } from '../load-library.ts'
import { standardWebhooksPlaces } from '../standard-webhooks-places.ts'

type OpenaiLibrary = {
  readonly default: new (options: {
    apiKey: string
  }) => {
    readonly webhooks: {
      readonly verifySignature: (
        payload: string,
        headers: Readonly<Record<string, string>>,
        secret: string,
      ) => Promise<void>
    }
  }
}

export const openai: Adapter = {
  provider: 'openai',
  library: 'openai',
  calls: 'webhooks.verifySignature',
  keys: whsecKeys,
  ...standardWebhooksPlaces('webhook'),
  load: async () => {
    const { default: OpenAi } = requireLibrary('openai') as OpenaiLibrary
    const { webhooks } = new OpenAi({ apiKey: 'key' })
    return { verify: ({ text, headers, key }) => believes(() => webhooks.verifySignature(text, headers, key)) }
  },
  differences: [notUtf8, joinedHeaders, repeatedHeader, manySignatures, emptyEntry, looseBase64, oddTimestamp],
}
