import type { Adapter, Key } from '../adapter.ts'
import { believesBeforeParsing } from '../asked.ts'
import { notUtf8 } from '../differences/body.ts'
import { joinedHeaders, manySignatures, repeatedHeader, sameTwice } from '../differences/signature.ts'
import { timestampAsWritten } from '../differences/timestamp.ts'
import { whsecKeys } from '../keys.ts'
import { requireLibrary } from '../load-library.ts'
import { proofInHeader } from '../places.ts'
import { standardWebhooksPlaces } from '../standard-webhooks-places.ts'

type StandardWebhooksLibrary = {
  readonly Webhook: new (
    secret: string,
  ) => { readonly verify: (payload: Buffer, headers: Readonly<Record<string, string>>) => unknown }
}

const keyOf = ({ library }: Key): Key => ({ options: { secret: `v1,${library}` }, library })

/** It has no library of its own: its documents ask for this one. Several signatures have a comma and a space between. */
export const supabaseAuthHooks: Adapter = {
  provider: 'supabase-auth-hooks',
  library: 'standardwebhooks',
  calls: 'Webhook.verify',
  keys: [keyOf(whsecKeys[0]), keyOf(whsecKeys[1])],
  ...standardWebhooksPlaces('webhook'),
  proof: proofInHeader('webhook-signature', { separator: ', ', entry: (signature) => `v1,${signature}` }),
  load: async () => {
    const { Webhook } = requireLibrary('standardwebhooks') as StandardWebhooksLibrary
    return { verify: ({ body, headers, key }) => believesBeforeParsing(() => new Webhook(key).verify(body, headers)) }
  },
  differences: [notUtf8, joinedHeaders, repeatedHeader, manySignatures, sameTwice, timestampAsWritten],
}
