import type { Adapter } from '../adapter.ts'
import { emptyBody, notUtf8 } from '../differences/body.ts'
import { textKeys } from '../keys.ts'
import { importLibrary } from '../load-library.ts'
import { proofInHeader } from '../places.ts'

type GithubLibrary = {
  readonly verify: (secret: string, payload: string, signature: string) => Promise<boolean>
  readonly sign: (secret: string, payload: string) => Promise<string>
}

export const github: Adapter = {
  provider: 'github',
  library: '@octokit/webhooks-methods',
  calls: 'verify',
  keys: textKeys,
  proof: proofInHeader('x-hub-signature-256'),
  load: async () => {
    const { verify, sign } = (await importLibrary('@octokit/webhooks-methods')) as GithubLibrary
    return {
      verify: ({ text, header, key }) => verify(key, text, header('x-hub-signature-256')),
      sign: async ({ text, key }) => ({ 'x-hub-signature-256': await sign(key, text) }),
    }
  },
  differences: [notUtf8, emptyBody],
}
