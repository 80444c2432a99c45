import { hmac } from '../verify/algorithms/hmac.ts'
import { freshId, jsonEvent, unixSeconds } from '../verify/compose.ts'
import { fromUnixSeconds } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { base64Secret, type KeyFormat, type KeyMaterial, utf8Secret } from '../verify/keys.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { list, type SignatureFormat } from '../verify/schemes/signature-format.ts'
import { standardWebhooksScheme } from '../verify/schemes/standard-webhooks.ts'

/** OpenAI. The secret is the endpoint's `whsec_…`. https://platform.openai.com/docs/guides/webhooks */
export const openai: (options: ProviderOptions) => Provider = defineProvider({
  name: 'openai',
  title: 'OpenAI',
  documentation: 'https://platform.openai.com/docs/guides/webhooks',
  scheme: standardWebhooksScheme({ secret: prefixedOrPlain, format: withOrWithoutVersion() }),
  idField: 'the header webhook-id',
  isIdSigned: true,
  reads: ['type', 'data.id', 'created_at'],
  identify: ({ headers, document }) => ({
    id: headers.get('webhook-id'),
    type: field(document, 'type'),
    objectId: field(document, 'data.id'),
    occurredAt: fromUnixSeconds(field(document, 'created_at')),
  }),
  retrySchedule: 'with growing pauses, by what others report for up to 72 hours',
  confidence: 'executed',
  uncertain: ['how long it retries', 'how long it waits for an answer'],
  surprises: [
    'Its library differs from Standard Webhooks: a secret without whsec_ is plain text instead of base64, and a signature may come without v1.',
    'The body holds little more than the id of an object: read the object from the API.',
  ],
  compose: ({ id = freshId('wh_'), type, payload }, at) =>
    jsonEvent(
      {
        id: freshId('evt_'),
        object: 'event',
        created_at: unixSeconds(at),
        data: { id: freshId('resp_') },
        ...payload,
        type: type ?? payload?.type ?? 'response.completed',
      },
      { 'webhook-id': id },
    ),
})

function prefixedOrPlain(material: KeyMaterial): ReturnType<KeyFormat> {
  const isPrefixed = typeof material === 'string' && material.startsWith('whsec_')
  return isPrefixed ? base64Secret({ prefix: 'whsec_' })(material) : utf8Secret(material)
}

/** OpenAI's own library takes both, and either proves the same. */
function withOrWithoutVersion(): SignatureFormat {
  const bare = list({ algorithm: hmac('sha256'), encoding: 'base64', separator: ' ' })
  return {
    ...bare,
    read: (text) => bare.read(text.replaceAll(/(?<=^| )v1,/g, '')),
    write: (made) => `v1,${bare.write(made)}`,
  }
}
