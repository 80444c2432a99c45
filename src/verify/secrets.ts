import { KeyObject } from 'node:crypto'
import type { Delivery } from '../delivery/delivery.ts'
import { invalidOptions } from '../errors.ts'
import { createKeyLookUp, type FetchText } from './fetched-keys.ts'
import { createHiddenSecrets } from './hidden-secrets.ts'
import { isKeyMistake, type KeyFormat, type KeyMaterial } from './keys.ts'
import type { Scheme } from './scheme.ts'

/** One secret, several (all are live: for rotation), or a look-up per request (for tenants). */
export type SecretOption = KeyMaterial | readonly KeyMaterial[] | SecretLookUp

/** Finds the secrets for a delivery that is not verified yet: believe nothing in it. Nothing found: not authentic. */
export type SecretLookUp = (
  delivery: Delivery,
) => KeyMaterial | readonly KeyMaterial[] | undefined | PromiseLike<KeyMaterial | readonly KeyMaterial[] | undefined>

/** The options of a provider that hold keys. */
export type KeyOptions = {
  readonly secret?: SecretOption | undefined
  readonly publicKey?: KeyMaterial | readonly KeyMaterial[] | undefined
  readonly privateKey?: KeyMaterial | undefined
  readonly unverified?: true | undefined
  readonly fetchText?: FetchText | undefined
}

/** The keys of a source, ready for use and hidden from every log. */
export type SourceKeys = {
  readonly keysFor: (delivery: Delivery) => readonly KeyObject[] | Promise<readonly KeyObject[]>
  /** The key to sign with; undefined where only a public key is known, or a look-up takes its time. */
  readonly signingKey: (delivery: Delivery) => KeyObject | undefined
  /** All keys, where they are given; undefined where they are looked up or fetched, or nothing is verified. */
  readonly fixed: readonly KeyObject[] | undefined
  /** A text without these keys. */
  readonly hide: (text: string) => string
  readonly mistakes: readonly string[]
  readonly warnings: readonly string[]
}

/** Shorter secrets can be guessed. */
const shortestSecretBytes = 16

/** Reads all keys at once and reports every mistake by the name of its option, never by its value. */
export function readKeys(provider: string, scheme: Scheme, options: KeyOptions): SourceKeys {
  const mistakes: string[] = presenceMistakes(scheme, options)
  const warnings: string[] = []
  const note = { mistakes, warnings }
  const { secret } = options
  const hidden = createHiddenSecrets()
  hidden.remember(materialsIn(options))
  const lookUp = typeof secret === 'function' ? secret : undefined
  const secrets =
    typeof secret === 'function' || scheme.secret === undefined ? [] : readList('secret', secret, scheme.secret, note)
  const publicKeys =
    scheme.publicKey === undefined ? [] : readList('publicKey', options.publicKey, scheme.publicKey, note)
  const [privateKey] =
    scheme.privateKey === undefined ? [] : readList('privateKey', options.privateKey, scheme.privateKey, note)
  const fixed = [...secrets, ...publicKeys]
  // Keys that are given are never fetched as well: whoever pins one means it.
  const fetched =
    scheme.keySource === undefined || options.publicKey !== undefined || options.unverified === true
      ? undefined
      : createKeyLookUp(provider, scheme.keySource, options)

  const readFound = (found: KeyMaterial | readonly KeyMaterial[] | undefined): readonly KeyObject[] => {
    if (found === undefined || found === null || found.length === 0 || scheme.secret === undefined) return publicKeys
    hidden.remember(listOf(found))
    const mistakesOfFound: string[] = []
    const keys = readList('secret', found, scheme.secret, { mistakes: mistakesOfFound, warnings: [] })
    if (mistakesOfFound.length > 0) throw invalidOptions(`The source ${provider}`, mistakesOfFound)
    return [...keys, ...publicKeys]
  }
  const keysFor: SourceKeys['keysFor'] = (delivery) => {
    // Nothing is fetched for what cannot be believed whatever the key.
    if (fetched !== undefined) return scheme.read(delivery).kind === 'proof' ? fetched(delivery) : []
    if (lookUp === undefined) return fixed
    const found = lookUp(delivery)
    return isPromiseLike(found) ? Promise.resolve(found).then(readFound) : readFound(found)
  }
  return {
    keysFor,
    signingKey: (delivery) => {
      const keys = lookUp === undefined || fetched !== undefined ? secrets : keysFor(delivery)
      const [first] = keys instanceof Promise ? [] : keys
      return first?.type === 'secret' ? first : privateKey
    },
    hide: hidden.hide,
    fixed: lookUp === undefined && fetched === undefined && fixed.length > 0 ? fixed : undefined,
    mistakes,
    warnings,
  }
}

/** Query builders are thenable without being promises. */
function isPromiseLike<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return typeof (value as PromiseLike<Value> | undefined)?.then === 'function'
}

/** Only the keys in a list that a caller handed back to us. */
export function onlyKeys(secrets: readonly unknown[]): readonly KeyObject[] {
  return secrets.filter((secret) => secret instanceof KeyObject)
}

function presenceMistakes(scheme: Scheme, { secret, publicKey, unverified }: KeyOptions): string[] {
  const expected = [scheme.secret && 'secret', scheme.publicKey && 'publicKey'].filter((name) => name !== undefined)
  const isPublicKeyTaken = scheme.publicKey !== undefined || scheme.isPublicKeyName === true
  const isGiven = secret !== undefined || (publicKey !== undefined && scheme.isPublicKeyName !== true)
  if (unverified === true) {
    return isGiven
      ? [`"unverified" switches verification off: remove it, or remove "${expected.join('" and "')}".`]
      : []
  }
  if (secret !== undefined && scheme.secret === undefined)
    return [`It has no "secret": give "${expected.join('" or "')}".`]
  if (publicKey !== undefined && !isPublicKeyTaken) {
    return [`It has no "publicKey": give "${expected.join('" or "')}".`]
  }
  if (isGiven || scheme.keySource !== undefined) return []
  return [
    `"${expected.join('" or "')}" is missing. Is the environment variable set? (To accept anything from anybody, say unverified: true.)`,
  ]
}

/** What is not material is somebody's mistake, which is reported elsewhere. */
function materialsIn({ secret, privateKey }: KeyOptions): readonly KeyMaterial[] {
  const given = typeof secret === 'function' ? [] : listOf(secret)
  return [...given, ...listOf(privateKey)].filter((one) => typeof one === 'string' || one instanceof Uint8Array)
}

function listOf(given: KeyMaterial | readonly KeyMaterial[] | undefined): readonly KeyMaterial[] {
  if (given === undefined) return []
  return typeof given === 'string' || given instanceof Uint8Array ? [given] : given
}

function readList(
  option: string,
  given: KeyMaterial | readonly KeyMaterial[] | undefined,
  format: KeyFormat,
  note: { readonly mistakes: string[]; readonly warnings: string[] },
): readonly KeyObject[] {
  if (given === undefined) return []
  const list: readonly unknown[] = listOf(given)
  if (list.length === 0) note.mistakes.push(`"${option}" is an empty list.`)
  return list.flatMap((material, index) => {
    const label = Array.isArray(given) ? `"${option}[${index}]"` : `"${option}"`
    const key = readOne(material, format)
    if (isKeyMistake(key)) {
      note.mistakes.push(`${label} ${key.mistake}.`)
      return []
    }
    if (key.type === 'secret' && (key.symmetricKeySize ?? 0) < shortestSecretBytes) {
      note.warnings.push(
        `${label} has fewer than ${shortestSecretBytes} bytes, so it can be guessed: choose a longer one.`,
      )
    }
    if (typeof material === 'string' && option === 'secret' && material.trim() !== material) {
      note.warnings.push(`${label} has spaces or line breaks around it, which are part of it: is that meant?`)
    }
    return [key]
  })
}

/** An unset variable that went through a template or `String()` is the word "undefined", which HMAC would take for a key. */
function readOne(material: unknown, format: KeyFormat): KeyObject | { readonly mistake: string } {
  if (material === undefined || material === null) return { mistake: 'is missing' }
  if (material instanceof Uint8Array) return material.length === 0 ? { mistake: 'is empty' } : format(material)
  if (typeof material !== 'string') return { mistake: `is of the type ${typeof material}, where text was expected` }
  if (material.trim() === '') return { mistake: material === '' ? 'is empty' : 'is only whitespace' }
  if (material === 'undefined' || material === 'null')
    return { mistake: `is the word "${material}": is the environment variable set?` }
  return format(material)
}
