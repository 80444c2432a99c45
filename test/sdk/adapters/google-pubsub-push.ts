import type { Adapter } from '../adapter.ts'
import { looseBase64, repeatedHeader } from '../differences/signature.ts'
import { pemKeys } from '../keys.ts'
import { requireLibrary } from '../load-library.ts'
import { proofInHeader, timestampInToken } from '../places.ts'

type GoogleLibrary = {
  readonly OAuth2Client: new () => {
    readonly verifySignedJwtWithCertsAsync: (
      token: string,
      keys: Readonly<Record<string, string>>,
      audience: string,
      issuers: readonly string[],
    ) => Promise<{
      readonly getPayload: () => { readonly email?: string; readonly email_verified?: boolean } | undefined
    }>
  }
}

const proof = proofInHeader('authorization')
const issuers = ['accounts.google.com', 'https://accounts.google.com']

/** With the key at hand instead of Google's, and the check of the account that its documents ask for. */
export const googlePubsubPush: Adapter = {
  provider: 'google-pubsub-push',
  library: 'google-auth-library',
  calls: 'OAuth2Client.verifySignedJwtWithCertsAsync',
  keys: pemKeys('rsa'),
  proof,
  timestamp: timestampInToken(proof, 'iat'),
  load: async () => {
    const { OAuth2Client } = requireLibrary('google-auth-library') as GoogleLibrary
    const client = new OAuth2Client()
    return {
      verify: async ({ delivery, header, key }) => {
        const [, token = ''] = /^Bearer (.+)$/.exec(header('authorization')) ?? []
        const ticket = await client.verifySignedJwtWithCertsAsync(
          token,
          { [keyNameIn(token)]: key },
          delivery.url,
          issuers,
        )
        const { email, email_verified: isVerified } = ticket.getPayload() ?? {}
        return email === 'pusher@acme.iam.gserviceaccount.com' && isVerified === true
      },
    }
  },
  differences: [looseBase64, repeatedHeader],
}

/** Whatever key the token asks for is the one at hand. */
function keyNameIn(token: string): string {
  const header: unknown = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString('utf8'))
  return String((header as { readonly kid?: string }).kid)
}
