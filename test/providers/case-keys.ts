import { generateKeyPairSync } from 'node:crypto'
import type { ProviderOptions } from '../../src/verify/provider-options.ts'

/** Two sets of keys that know nothing of each other, and what must not show of the first. */
export type CaseKeys = {
  readonly keys: ProviderOptions
  readonly otherKeys: ProviderOptions
  readonly secretTexts: readonly string[]
}

/** A secret whose characters are the key. */
export const textSecret: CaseKeys = secrets(
  'the-first-secret-of-the-conformance-suite',
  'the-second-secret-of-the-conformance-suite',
)

/** A secret as Standard Webhooks writes it. */
export const whsecSecret: CaseKeys = {
  ...secrets(
    'whsec_b25jZWhvb2stdGVzdC1zZWNyZXQtQS0zMi1ieXRlcyE=',
    'whsec_d3Jvbmctc2VjcmV0LXdyb25nLXNlY3JldC0wMDAwMDA=',
  ),
  secretTexts: ['whsec_b25jZWhvb2stdGVzdC1zZWNyZXQtQS0zMi1ieXRlcyE=', 'oncehook-test-secret'],
}

/** Any two secrets. */
export function secrets(secret: string, otherSecret: string): CaseKeys {
  return { keys: { secret }, otherKeys: { secret: otherSecret }, secretTexts: [secret] }
}

/** Key pairs made for these tests, in hex; the private key is the seed. */
export const ed25519Pair: { readonly privateKey: string; readonly publicKey: string } = {
  privateKey: '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
  publicKey: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
}
export const otherEd25519Pair: { readonly privateKey: string; readonly publicKey: string } = {
  privateKey: '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
  publicKey: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
}

/** Ed25519 keys in hex. */
export const ed25519Keys: CaseKeys = {
  keys: ed25519Pair,
  otherKeys: otherEd25519Pair,
  secretTexts: [ed25519Pair.privateKey],
}

/** New key pairs as PEM. */
export function pemKeys(kind: 'rsa' | 'ec'): CaseKeys {
  const [keys, otherKeys] = [pemPair(kind), pemPair(kind)]
  return { keys, otherKeys, secretTexts: [keys.privateKey] }
}

function pemPair(kind: 'rsa' | 'ec'): { readonly publicKey: string; readonly privateKey: string } {
  const { publicKey, privateKey } =
    kind === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}
