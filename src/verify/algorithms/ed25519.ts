import { sign, verify } from 'node:crypto'
import { type Algorithm, joined } from './algorithm.ts'

/** Ed25519 over the content itself. */
export const ed25519: Algorithm = {
  name: 'Ed25519',
  keyType: 'public',
  hasLength: (bytes) => bytes === 64,
  isMadeWith: (key, content, signatures) => {
    const message = joined(content)
    return signatures.some((signature) => verify(null, message, key, signature))
  },
  make: (key, content) => sign(null, joined(content), key),
}
