import { sign, verify } from 'node:crypto'
import { type Algorithm, joined } from './algorithm.ts'

/** ECDSA on P-256 and its larger sisters. `der` is what most send, `raw` is what a JWT holds (r and s side by side). */
export function ecdsa({
  hash = 'sha256',
  form = 'der',
}: {
  readonly hash?: 'sha256' | 'sha384' | 'sha512'
  readonly form?: 'der' | 'raw'
} = {}): Algorithm {
  const dsaEncoding = form === 'der' ? 'der' : 'ieee-p1363'
  return {
    name: `ECDSA-${hash.toUpperCase()}`,
    keyType: 'public',
    // Two integers of 32 to 66 bytes; DER drops leading zeros, so the lengths of a signature vary.
    hasLength: (bytes) => (form === 'der' ? bytes >= 8 && bytes <= 141 : bytes >= 64 && bytes <= 132),
    isMadeWith: (key, content, signatures) => {
      if (key.asymmetricKeyType !== 'ec') return false
      const message = joined(content)
      return signatures.some((signature) => verify(hash, message, { key, dsaEncoding }, signature))
    },
    make: (key, content) => sign(hash, joined(content), { key, dsaEncoding }),
  }
}
