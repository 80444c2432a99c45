import { generateKeyPairSync, type KeyPairKeyObjectResult, randomBytes } from 'node:crypto'
import { failed } from './failure.ts'
import type { MakeProvider, ProviderKeys } from './provider-catalogue.ts'

/**
 * New keys of the kind that a provider takes. Each kind is tried by signing and verifying with it, so that a new provider
 * needs no entry here.
 */
export function generateKeys(name: string, make: MakeProvider, at: Date, pairs: KeyPairs = keyPair): ProviderKeys {
  const found = firstFit(make, at, pairs)
  if (found === undefined) throw failed(`No demo keys of a known kind fit the provider ${name}.`)
  return found
}

/** Most are fine with a text of any kind; this one is also base64 after a prefix that many know. */
const kinds: readonly ((pairs: KeyPairs) => ProviderKeys)[] = [
  () => ({ secret: `whsec_${randomBytes(24).toString('base64')}` }),
  () => ({ secret: randomBytes(32).toString('hex') }),
  () => ({ secret: randomBytes(32).toString('base64') }),
  () => ({ secret: `demo:${randomBytes(24).toString('hex')}` }),
  (pairs) => pairs('ed25519'),
  (pairs) => pairs('ec'),
  (pairs) => pairs('rsa'),
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
function firstFit(make: MakeProvider, at: Date, pairs: KeyPairs): ProviderKeys | undefined {
  for (const generate of kinds) {
    const keys = generate(pairs)
    if (isFit(make, keys, at)) return keys
  }
  return undefined
}
