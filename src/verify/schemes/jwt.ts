import { type Delivery, firstHeader } from '../../delivery/delivery.ts'
import type { Algorithm } from '../algorithms/algorithm.ts'
import { ecdsa } from '../algorithms/ecdsa.ts'
import { ed25519 } from '../algorithms/ed25519.ts'
import { hmac } from '../algorithms/hmac.ts'
import { rsa } from '../algorithms/rsa.ts'
import { decodeStrictly, isSame, sha256 } from '../bytes.ts'
import type { KeySource } from '../fetched-keys.ts'
import { anyPrivateKey, anyPublicKey, type KeyFormat, utf8Secret } from '../keys.ts'
import { type Proof, type Refusal, refuse, type Scheme, withHeaders } from '../scheme.ts'
import { withoutFragment } from '../url.ts'
import { type Jws, readJws, writeJws } from './jws.ts'

/** The algorithms of tokens by their names. `none` is not among them. */
export type JwtAlgorithm = 'HS256' | 'HS384' | 'HS512' | 'RS256' | 'PS256' | 'ES256' | 'ES384' | 'EdDSA'

const algorithms: Readonly<Record<JwtAlgorithm, Algorithm>> = {
  HS256: hmac('sha256'),
  HS384: hmac('sha384'),
  HS512: hmac('sha512'),
  RS256: rsa({ hash: 'sha256' }),
  PS256: rsa({ hash: 'sha256', padding: 'pss' }),
  ES256: ecdsa({ hash: 'sha256', form: 'raw' }),
  ES384: ecdsa({ hash: 'sha384', form: 'raw' }),
  EdDSA: ed25519,
}

/** What a claim must be: this value, or one of these texts. */
export type ClaimRule = string | boolean | readonly string[]

/** A JSON Web Token in a header. */
export type JwtOptions = {
  /** Default `authorization`, after `Bearer `. */
  readonly header?: string
  readonly prefix?: string
  /** Fixed for the source: the token's own header never chooses, it must only agree. */
  readonly algorithm: JwtAlgorithm
  /** The claim with the hex SHA-256 of the body. Without it the token says nothing about the body. */
  readonly bodyHashClaim?: string
  /** Claims that must be as they are here, for example `iss`. */
  readonly claims?: Readonly<Record<string, ClaimRule>>
  /** Whom the token must be for (`aud`): one of these, or the address that was called. */
  readonly audience?: readonly string[] | 'called_url'
  /** Times that must be there; those that are there are always checked. Default none. */
  readonly requiredTimes?: readonly ('iat' | 'nbf' | 'exp')[]
  /** What `iat` limits: the age of the token, or only its start, where a sender uses one until its `exp`. Default `age`. */
  readonly issuedAt?: 'age' | 'start'
  /** `none`: the tokens have no times. Default `some`. */
  readonly times?: 'some' | 'none'
  /** The largest age of `iat`. Default 300. */
  readonly toleranceSeconds?: number
  /** How long after its `exp` a token is still taken. Default: the tolerance. */
  readonly graceSeconds?: number
  /** The claims that a token of this sender has beyond those above, for signing. Default: `iat` and `exp`. */
  readonly signedClaims?: (delivery: Delivery, at: Date) => Readonly<Record<string, unknown>>
  /** What the tokens call their key (`kid`), for signing. Default: nothing. */
  readonly signingKeyId?: string
  readonly publicKey?: KeyFormat
  /** Where the keys are that tokens name by `kid`. */
  readonly keySource?: (keyIdOf: KeyIdOf) => KeySource
}

/** The name of the key that a delivery's token asks for. */
export type KeyIdOf = (delivery: Delivery) => string | undefined

/** A signed token with claims; its times are checked, and its body hash where it has one. */
export function jwt(options: JwtOptions): Scheme {
  const header = options.header ?? 'authorization'
  const prefix = options.prefix ?? (header === 'authorization' ? 'Bearer ' : '')
  const algorithm = algorithms[options.algorithm]
  const { bodyHashClaim, audience } = options

  const tokenOf = (delivery: Delivery): Jws | undefined => {
    const sent = firstHeader(delivery.headers, header) ?? ''
    const token = sent.startsWith(prefix) ? readJws(sent.slice(prefix.length)) : undefined
    return token?.header.alg === options.algorithm ? token : undefined
  }

  const read = (delivery: Delivery): Proof | Refusal => {
    if ((firstHeader(delivery.headers, header) ?? '') === '') return refuse('signature_missing')
    const token = tokenOf(delivery)
    if (token === undefined || !algorithm.hasLength(token.signature.length)) return refuse('signature_malformed')
    const { claims } = token
    if (options.requiredTimes?.some((name) => claims[name] === undefined)) return refuse('timestamp_missing')
    if (['iat', 'nbf', 'exp'].some((name) => !isTime(claims[name]))) return refuse('timestamp_malformed')
    const doubt = doubtAbout(claims, options, delivery.url)
    return {
      kind: 'proof',
      mismatch: 'signature_mismatch',
      ...timesOf(claims, options),
      ...(doubt === undefined ? {} : { doubt }),
      isMadeWith: (key, { body = delivery.body, url = delivery.url } = {}) =>
        algorithm.isMadeWith(key, [token.signed], [token.signature]) &&
        doubtAbout(claims, options, url) === undefined &&
        (bodyHashClaim === undefined || isHashOf(claims[bodyHashClaim], body)),
    }
  }

  return {
    describe: `JWT (${options.algorithm}) in ${header}`,
    headers: [header],
    proofHeaders: [header],
    ...(algorithm.keyType === 'secret'
      ? { secret: utf8Secret }
      : { publicKey: options.publicKey ?? anyPublicKey, privateKey: anyPrivateKey }),
    ...(options.times === 'none' ? {} : { toleranceSeconds: options.toleranceSeconds ?? 300 }),
    ...(options.keySource === undefined
      ? {}
      : { keySource: options.keySource((delivery) => keyIdOf(tokenOf(delivery))) }),
    isBodySigned: bodyHashClaim !== undefined,
    isUrlSigned: audience === 'called_url',
    read,
    sign: (delivery, key, at) => {
      const seconds = Math.floor(at.getTime() / 1000)
      const claims = {
        ...(options.signedClaims?.(delivery, at) ?? { iat: seconds, exp: seconds + 300 }),
        ...mapValues(options.claims ?? {}, firstOf),
        ...(audience === undefined
          ? {}
          : { aud: audience === 'called_url' ? withoutFragment(delivery.url) : firstOf(audience) }),
        ...(bodyHashClaim === undefined ? {} : { [bodyHashClaim]: sha256(delivery.body).toString('hex') }),
      }
      const name = options.signingKeyId === undefined ? {} : { kid: options.signingKeyId }
      const head = { alg: options.algorithm, ...name, typ: 'JWT' }
      const token = writeJws(head, claims, (signed) => algorithm.make(key, [signed]))
      return withHeaders(delivery, { [header]: `${prefix}${token}` })
    },
  }
}

/** What is wrong with the claims, whoever signed them. */
function doubtAbout(
  claims: Jws['claims'],
  { claims: rules = {}, audience }: JwtOptions,
  url: string,
): string | undefined {
  const wrong = Object.entries(rules).find(([name, rule]) => !isAsRuled(claims[name], rule))
  if (wrong !== undefined) return `The claim "${wrong[0]}" of the token is not what this source expects.`
  const expected = audience === 'called_url' ? [withoutFragment(url)] : audience
  const given: readonly unknown[] = Array.isArray(claims.aud) ? claims.aud : [claims.aud]
  if (expected === undefined || given.some((name) => typeof name === 'string' && expected.includes(name)))
    return undefined
  return 'The token is meant for another audience (its claim "aud") than this source.'
}

function isAsRuled(claim: unknown, rule: ClaimRule): boolean {
  return typeof rule === 'object' ? typeof claim === 'string' && rule.includes(claim) : claim === rule
}

function firstOf(rule: ClaimRule): string | boolean | undefined {
  return typeof rule === 'object' ? rule[0] : rule
}

function mapValues<From, To>(record: Readonly<Record<string, From>>, map: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]))
}

function keyIdOf(token: Jws | undefined): string | undefined {
  const kid = token?.header.kid
  return typeof kid === 'string' && kid !== '' ? kid : undefined
}

function isTime(claim: unknown): boolean {
  return claim === undefined || (typeof claim === 'number' && Number.isFinite(claim))
}

function timesOf({ iat, nbf, exp }: Jws['claims'], { issuedAt = 'age', graceSeconds }: JwtOptions): Partial<Proof> {
  const starts = [nbf, issuedAt === 'start' ? iat : undefined].filter((time) => typeof time === 'number')
  return {
    ...(typeof iat === 'number' && issuedAt === 'age' ? { timestampSeconds: iat } : {}),
    ...(starts.length > 0 ? { validFromSeconds: Math.max(...starts) } : {}),
    ...(typeof exp === 'number' ? { validUntilSeconds: exp } : {}),
    ...(graceSeconds === undefined ? {} : { graceSeconds }),
  }
}

function isHashOf(claim: unknown, body: Uint8Array): boolean {
  const bytes = typeof claim === 'string' ? decodeStrictly(claim, 'hex_any_case') : undefined
  return bytes !== undefined && isSame(bytes, sha256(body))
}
