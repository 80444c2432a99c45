import { generateKeyPairSync, type KeyPairKeyObjectResult, randomBytes } from 'node:crypto'
import { OncehookError } from '../errors.ts'
import type { Provider } from '../index.ts'

/** What a provider needs to verify and to sign. */
export type ProviderKeys = {
  readonly secret?: string
  readonly publicKey?: string
  readonly privateKey?: string
  readonly unverified?: true
}

export type MakeProvider = (keys: ProviderKeys) => Provider

/** Where secrets and key pairs come from. */
export type KeySource = {
  /** Default: new ones. */
  readonly bytes?: (length: number) => Buffer
  /** Default: a new pair each time. */
  readonly pairs?: KeyPairs
}

/**
 * New keys of the kind that a provider takes. Each kind is tried by signing and verifying with it, so that a new provider
 * needs no entry here.
 */
export function generateKeys(name: string, make: MakeProvider, at: Date, from: KeySource = {}): ProviderKeys {
  const found = firstFit(make, at, from)
  if (found !== undefined) return found
  throw new OncehookError(
    'ONCEHOOK_CANNOT_SIGN',
    `No keys of a known kind fit the provider ${name}: make it yourself, with a fixed "secret" or a "privateKey".`,
  )
}

/** Most are fine with a text of any kind; this one is also base64 after a prefix that many know. */
const kinds: readonly ((from: Required<KeySource>) => ProviderKeys)[] = [
  ({ bytes }) => ({ secret: `whsec_${bytes(24).toString('base64')}` }),
  ({ bytes }) => ({ secret: bytes(32).toString('hex') }),
  ({ bytes }) => ({ secret: bytes(32).toString('base64') }),
  ({ bytes }) => ({ secret: `demo:${bytes(24).toString('hex')}` }),
  ({ pairs }) => pairs('ed25519'),
  ({ pairs }) => pairs('ec'),
  ({ pairs }) => pairs('rsa'),
]

type PairKind = 'ed25519' | 'ec' | 'rsa'

/** Makes a pair of keys. */
export type KeyPairs = (kind: PairKind) => ProviderKeys

/** The same pair for all who ask for one of its kind: RSA keys take a while to make, and a demo needs no second. */
export function sharedKeyPairs(): KeyPairs {
  const made = new Map<PairKind, ProviderKeys>()
  return (kind) => {
    const pair = made.get(kind) ?? keyPair(kind)
    made.set(kind, pair)
    return pair
  }
}

function keyPair(kind: PairKind): ProviderKeys {
  const { publicKey, privateKey } = generatePair(kind)
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function generatePair(kind: PairKind): KeyPairKeyObjectResult {
  switch (kind) {
    case 'ed25519':
      return generateKeyPairSync('ed25519')
    case 'ec':
      return generateKeyPairSync('ec', { namedCurve: 'P-256' })
    case 'rsa':
      return generateKeyPairSync('rsa', { modulusLength: 2048 })
  }
}

function isFit(make: MakeProvider, keys: ProviderKeys, at: Date): boolean {
  try {
    const provider = make(keys)
    return provider.verify(provider.sign({}, at), at).kind === 'authentic'
  } catch {
    return false
  }
}

/** One kind after the other: a pair of RSA keys takes a while to make. */
function firstFit(make: MakeProvider, at: Date, from: KeySource): ProviderKeys | undefined {
  for (const generate of kinds) {
    const keys = generate({ bytes: randomBytes, pairs: keyPair, ...from })
    if (isFit(make, keys, at)) return keys
  }
  return undefined
}
