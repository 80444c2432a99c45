import { createPrivateKey, createPublicKey } from 'node:crypto'
import { issueCertificate } from '../../../src/verify/issue-certificate.ts'
import type { Adapter, Key } from '../adapter.ts'
import { believes } from '../asked.ts'
import { looseBase64 } from '../differences/signature.ts'
import { timestampUnchecked } from '../differences/timestamp.ts'
import { pemKeys } from '../keys.ts'
import { requireLibrary } from '../load-library.ts'
import { proofInBody, timestampInToken } from '../places.ts'

type AppleLibrary = {
  readonly SignedDataVerifier: new (
    roots: readonly Buffer[],
    enableOnlineChecks: boolean,
    environment: string,
    bundleId: string,
  ) => { readonly verifyAndDecodeNotification: (signedPayload: string) => Promise<unknown> }
}

const proof = proofInBody('signedPayload')
const [first, other] = pemKeys('ec')

/** Without asking whether a certificate was revoked. */
export const appleAppStoreV2: Adapter = {
  provider: 'apple-app-store-v2',
  library: '@apple/app-store-server-library',
  calls: 'SignedDataVerifier.verifyAndDecodeNotification',
  keys: [withRoot(first), withRoot(other)],
  options: { environment: 'Sandbox' },
  bodies: 'own',
  proof,
  timestamp: timestampInToken(proof, 'signedDate'),
  load: async () => {
    const { SignedDataVerifier } = requireLibrary('@apple/app-store-server-library') as AppleLibrary
    return {
      verify: ({ text, key }) => {
        const { signedPayload } = JSON.parse(text) as { readonly signedPayload: string }
        const verifier = new SignedDataVerifier([Buffer.from(key, 'base64')], false, 'Sandbox', 'com.example')
        return believes(() => verifier.verifyAndDecodeNotification(signedPayload))
      },
    }
  },
  differences: [looseBase64, timestampUnchecked],
}

/** The library pins the certificate of the root, of which we take the key alone. */
function withRoot({ options }: Key): Key {
  const key = createPrivateKey(options.privateKey as string)
  const root = issueCertificate(
    {
      subject: 'Oncehook Test Root',
      issuer: 'Oncehook Test Root',
      publicKey: createPublicKey(key),
      validFrom: new Date('2020-01-01'),
      validTo: new Date('2040-01-01'),
      isAuthority: true,
    },
    key,
  )
  return { options, library: root.toString('base64') }
}
