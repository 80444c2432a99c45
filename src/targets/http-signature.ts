import type { KeyObject } from 'node:crypto'
import { ed25519 } from '../verify/algorithms/ed25519.ts'
import { hmac } from '../verify/algorithms/hmac.ts'
import { encode } from '../verify/bytes.ts'
import { base64Secret, ed25519PrivateKey, isKeyMistake, type KeyFormat } from '../verify/keys.ts'

const hmacSha256 = hmac('sha256')
const secretFormat: KeyFormat = base64Secret({ prefix: 'whsec_' })
const privateKeyFormat: KeyFormat = ed25519PrivateKey({ prefix: 'whsk_' })

/** The keys, or every mistake in them, by their place and never by their value. */
export function readSigningKeys(secrets: readonly unknown[]): {
  readonly keys: readonly KeyObject[]
  readonly mistakes: readonly string[]
} {
  const read = secrets.map((secret) => {
    if (typeof secret !== 'string' || secret === '' || secret === 'undefined') {
      return { mistake: 'is missing: is the environment variable set? To send unsigned, leave the option out' }
    }
    return secret.startsWith('whsk_') ? privateKeyFormat(secret) : secretFormat(secret)
  })
  return {
    keys: read.flatMap((key) => (isKeyMistake(key) ? [] : [key])),
    mistakes: read.flatMap((key, index) => (isKeyMistake(key) ? [`secret ${index + 1} ${key.mistake}.`] : [])),
  }
}

/** The headers of Standard Webhooks, with a signature per key. https://www.standardwebhooks.com */
export function signedHeaders(message: {
  readonly id: string
  readonly body: Uint8Array
  readonly at: Date
  readonly keys: readonly KeyObject[]
}): Readonly<Record<string, string>> {
  const { id, body, at, keys } = message
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = keys.map((key) => {
    const [version, algorithm] = key.type === 'secret' ? ['v1', hmacSha256] : ['v1a', ed25519]
    return `${version},${encode(algorithm.make(key, [`${id}.${timestamp}.`, body]), 'base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    ...(signatures.length > 0 && { 'webhook-signature': signatures.join(' ') }),
  }
}

/**
 * The idempotency key as a header can hold it: letters, digits and `_ : ~ -` as they are, the rest percent-encoded. A full stop
 * too, as it separates what is signed: with `a.1767225600` as id, a message could be passed off as a later one with the id `a`.
 */
export function headerId(idempotencyKey: string): string {
  return encodeURIComponent(idempotencyKey.toWellFormed())
    .replaceAll(/[.!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%3A', ':')
}
