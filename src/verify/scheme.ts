import type { KeyObject } from 'node:crypto'
import type { Delivery } from '../delivery/delivery.ts'
import type { KeySource } from './fetched-keys.ts'
import type { KeyFormat } from './keys.ts'
import type { ForgedReason } from './verdict.ts'

/** How a provider proves who it is. One description both verifies and signs. */
export type Scheme = {
  /** How it signs, in a few words, for people. */
  readonly describe: string
  /** The headers that decide about authenticity. One that is sent twice makes the delivery a forgery. */
  readonly headers: readonly string[]
  /** Those of them that hold the proof itself, which is never stored. */
  readonly proofHeaders: readonly string[]
  /** Where the proof is inside the body, as paths of the option `redact`: there it is not stored either. */
  readonly proofPaths?: readonly string[]
  /** How the option `secret` is read; undefined if the scheme has none. */
  readonly secret?: KeyFormat
  /** True where the option `publicKey` only names the secret: the provider reads it by itself. */
  readonly isPublicKeyName?: boolean
  /** How the options `publicKey` and `privateKey` are read; undefined if the scheme has none. */
  readonly publicKey?: KeyFormat
  readonly privateKey?: KeyFormat
  /** The largest age and lead of a signed timestamp. undefined: none is signed. */
  readonly toleranceSeconds?: number
  /** Where its public keys can be fetched, if the user gives none. */
  readonly keySource?: KeySource
  readonly isBodySigned: boolean
  readonly isUrlSigned: boolean
  /** What the proof does not prove, each as a sentence. That a body is not covered need not be said here. */
  readonly weaknesses?: readonly string[]
  /** What a delivery brings as proof. Looks at headers only, so that nonsense is turned away at no cost. */
  readonly read: (delivery: Delivery) => Proof | Refusal
  /** The delivery with its proof added, made with a secret or private key. */
  readonly sign: (delivery: Delivery, key: KeyObject, at: Date) => Delivery
}

/** What came as proof, not yet believed. */
export type Proof = {
  readonly kind: 'proof'
  /** When the sender says it signed, in seconds since 1970. */
  readonly timestampSeconds?: number | undefined
  /** Limits inside the proof itself, such as a token's expiry. */
  readonly validFromSeconds?: number
  readonly validUntilSeconds?: number
  /** How long after its end it is still taken. Default: the tolerance, by which it may also come before its start. */
  readonly graceSeconds?: number
  /** True if this key made the proof; constant time. `instead` is for finding out what went wrong, never for accepting. */
  readonly isMadeWith: (key: KeyObject, instead?: Instead) => boolean
  /** What a wrong proof is called. */
  readonly mismatch: 'signature_mismatch' | 'token_mismatch'
  /** Why no key can have made it as it should be, for the receiver's developer. */
  readonly doubt?: string
}

/** Something else in place of what came. */
export type Instead = { readonly body?: Uint8Array; readonly url?: string }

/** A proof that cannot be one. */
export type Refusal = { readonly kind: 'forged'; readonly reason: ForgedReason; readonly hint?: string }

/** A delivery with headers added in place of those of the same name. */
export function withHeaders(delivery: Delivery, added: Readonly<Record<string, string>>): Delivery {
  const headers = new Map(delivery.headers)
  for (const [name, value] of Object.entries(added)) headers.set(name.toLowerCase(), [value])
  return { ...delivery, headers }
}

/** The refusal with this reason; the hint is for the receiver's developer. */
export function refuse(reason: ForgedReason, hint?: string): Refusal {
  return { kind: 'forged', reason, ...(hint === undefined ? {} : { hint }) }
}
