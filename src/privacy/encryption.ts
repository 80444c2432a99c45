import { createSecretKey, type KeyObject } from 'node:crypto'

/** What bodies, headers, messages and results are encrypted with (AES-256-GCM) before they are stored. */
export type Encryption = {
  /**
   * By their ids, or a function that fetches a key by its id, for example from a key management service. What it returned is kept for an
   * hour. Keys of old rows have to be there for as long as there are such rows.
   */
  readonly keys: Readonly<Record<string, EncryptionKey | undefined>> | FetchEncryptionKey
  /** The id of the key for all that is written from now on. */
  readonly current: string
}

/** 32 random bytes: as they are, in base64 or in hexadecimal digits. */
export type EncryptionKey = string | Uint8Array

/** Undefined means that there is no such key. If it throws, it is asked again later. */
export type FetchEncryptionKey = (
  keyId: string,
  signal: AbortSignal,
) => EncryptionKey | undefined | Promise<EncryptionKey | undefined>

/** What is wrong with the option. Never quotes a key. */
export function encryptionMistakes(encryption: Encryption | undefined): readonly string[] {
  if (encryption === undefined) return []
  const { keys, current } = encryption
  const mistakes = isKeyId(current)
    ? []
    : ['encryption.current must be the id of a key: letters, digits, "-", "_" or ".".']
  if (typeof keys === 'function') return mistakes
  if (typeof keys !== 'object' || keys === null) {
    return [...mistakes, 'encryption.keys must be keys by their ids, or a function that fetches one.']
  }
  for (const [id, key] of Object.entries(keys)) {
    if (!isKeyId(id))
      mistakes.push(`encryption.keys: ${JSON.stringify(id)} cannot be an id: use letters, digits, "-", "_" or ".".`)
    const read = readKey(key)
    if (typeof read === 'string') mistakes.push(`encryption.keys: the key ${JSON.stringify(id)} ${read}`)
  }
  if (isKeyId(current) && !Object.hasOwn(keys, current)) {
    mistakes.push(`encryption.keys has no key ${JSON.stringify(current)}, which encryption.current names.`)
  }
  return mistakes
}

/** The key, or what is wrong with it. */
export function readKey(given: unknown): KeyObject | string {
  if (given === undefined || given === '') return 'is missing. Is the environment variable set?'
  const bytes = bytesOf(given)
  if (bytes?.length !== 32)
    return 'must be 32 random bytes, as base64, hexadecimal digits or a Uint8Array: openssl rand -base64 32'
  if (bytes.every((byte) => byte === bytes[0]))
    return 'has the same byte 32 times: take random ones, openssl rand -base64 32'
  return createSecretKey(bytes)
}

function bytesOf(given: unknown): Uint8Array | undefined {
  if (given instanceof Uint8Array) return given
  if (typeof given !== 'string') return undefined
  const text = given.trim()
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex')
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : undefined
}

function isKeyId(id: unknown): id is string {
  return typeof id === 'string' && /^[\w.-]{1,100}$/.test(id)
}
