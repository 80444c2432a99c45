import { constants, sign, verify } from 'node:crypto'
import { type Algorithm, joined } from './algorithm.ts'

/** RSA signatures, with either padding. */
export function rsa({
  hash = 'sha256',
  padding = 'pkcs1',
}: {
  readonly hash?: 'sha1' | 'sha256' | 'sha384' | 'sha512'
  readonly padding?: 'pkcs1' | 'pss'
} = {}): Algorithm {
  const options =
    padding === 'pkcs1'
      ? { padding: constants.RSA_PKCS1_PADDING }
      : { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
  return {
    name: `RSA-${padding === 'pss' ? 'PSS-' : ''}${hash.toUpperCase()}`,
    keyType: 'public',
    hasLength: (bytes) => bytes >= 128 && bytes <= 1024,
    isMadeWith: (key, content, signatures) => {
      if (key.asymmetricKeyType !== 'rsa' && key.asymmetricKeyType !== 'rsa-pss') return false
      const message = joined(content)
      return signatures.some((signature) => verify(hash, message, { key, ...options }, signature))
    },
    make: (key, content) => sign(hash, joined(content), { key, ...options }),
  }
}
