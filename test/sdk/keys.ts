import { generateKeyPairSync } from 'node:crypto'
import type { Key, KeyPairs } from './adapter.ts'
import { textKey } from './places.ts'

/** Secrets whose characters are the key. */
export const textKeys: KeyPairs = [
  textKey('a-secret-of-the-differential-tests'),
  textKey('another-secret-of-the-differential-tests'),
]

/** Secrets as Standard Webhooks writes them. */
export const whsecKeys: KeyPairs = [
  textKey('whsec_b25jZWhvb2stdGVzdC1zZWNyZXQtQS0zMi1ieXRlcyE='),
  textKey('whsec_d3Jvbmctc2VjcmV0LXdyb25nLXNlY3JldC0wMDAwMDA='),
]

/** Secrets in hexadecimal digits. */
export const hexKeys: KeyPairs = [
  textKey('44782def547aaa06c910c43932b1eb0c71fc68d9d0c057550c48ec2acf6ba056'),
  textKey('1b2c3d4e5f60718293a4b5c6d7e8f9000102030405060708090a0b0c0d0e0f10'),
]

const ed25519Pairs = [
  {
    privateKey: '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    publicKey: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
  },
  {
    privateKey: '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
    publicKey: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
  },
] as const

/** Ed25519 keys, their public part written for the library in this encoding. */
export function ed25519Keys(encoding: 'hex' | 'base64'): KeyPairs {
  const keyOf = (options: (typeof ed25519Pairs)[number]): Key => ({
    options,
    library: Buffer.from(options.publicKey, 'hex').toString(encoding),
  })
  return [keyOf(ed25519Pairs[0]), keyOf(ed25519Pairs[1])]
}

/** New key pairs, the public part as PEM. */
export function pemKeys(kind: 'rsa' | 'ec'): KeyPairs {
  return [pemKey(kind), pemKey(kind)]
}

function pemKey(kind: 'rsa' | 'ec'): Key {
  const { publicKey, privateKey } =
    kind === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const library = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  return {
    options: { publicKey: library, privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() },
    library,
  }
}
