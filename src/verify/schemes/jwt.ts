import { type Delivery, firstHeader } from '../../delivery/delivery.ts'
import type { Algorithm } from '../algorithms/algorithm.ts'
import { ecdsa } from '../algorithms/ecdsa.ts'
import { ed25519 } from '../algorithms/ed25519.ts'
import { hmac } from '../algorithms/hmac.ts'
import { rsa } from '../algorithms/rsa.ts'
import { decodeStrictly, isSame, sha256 } from '../bytes.ts'
import { parseJson } from '../json.ts'
import { anyPrivateKey, anyPublicKey, utf8Secret } from '../keys.ts'
import { isObject } from '../object.ts'
import { type Proof, type Refusal, refuse, type Scheme, withHeaders } from '../scheme.ts'

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

/** A JSON Web Token in a header. */
export type JwtOptions = {
  /** Default `authorization`, after `Bearer `. */
  readonly header?: string
  readonly prefix?: string
  /** Fixed for the source: the token's own header never chooses, it must only agree. */
  readonly algorithm: JwtAlgorithm
  /** The claim with the hex SHA-256 of the body. Without it the token says nothing about the body. */
  readonly bodyHashClaim?: string
  /** Claims that must have exactly these values, for example `iss` and `aud`. */
  readonly claims?: Readonly<Record<string, string>>
  /** Times that must be there; those that are there are always checked. Default none. */
  readonly requiredTimes?: readonly ('iat' | 'nbf' | 'exp')[]
  /** The largest age of `iat`, and the leeway of `exp` and `nbf`. */
  readonly toleranceSeconds?: number
}

/** A signed token with claims; its times are checked, and its body hash where it has one. */
export function jwt(options: JwtOptions): Scheme {
  const header = options.header ?? 'authorization'
  const prefix = options.prefix ?? (header === 'authorization' ? 'Bearer ' : '')
  const algorithm = algorithms[options.algorithm]

  const read = (delivery: Delivery): Proof | Refusal => {
    const sent = firstHeader(delivery.headers, header)
    if (sent === undefined || sent === '') return refuse('signature_missing')
    const token = readToken(sent, prefix, options.algorithm)
    if (token === undefined || !algorithm.hasLength(token.signature.length)) return refuse('signature_malformed')
    const { claims } = token
    if (options.requiredTimes?.some((name) => claims[name] === undefined)) return refuse('timestamp_missing')
    if (['iat', 'nbf', 'exp'].some((name) => !isTime(claims[name]))) return refuse('timestamp_malformed')
    return {
      kind: 'proof',
      mismatch: 'signature_mismatch',
      ...timesOf(claims),
      isMadeWith: (key, { body = delivery.body } = {}) =>
        algorithm.isMadeWith(key, [token.signed], [token.signature]) &&
        Object.entries(options.claims ?? {}).every(([name, value]) => claims[name] === value) &&
        (options.bodyHashClaim === undefined || isHashOf(claims[options.bodyHashClaim], body)),
    }
  }

  return {
    describe: `JWT (${options.algorithm}) in ${header}`,
    headers: [header],
    ...(algorithm.keyType === 'secret'
      ? { secret: utf8Secret }
      : { publicKey: anyPublicKey, privateKey: anyPrivateKey }),
    toleranceSeconds: options.toleranceSeconds ?? 300,
    isBodySigned: options.bodyHashClaim !== undefined,
    isUrlSigned: false,
    read,
    sign: (delivery, key, at) => {
      const seconds = Math.floor(at.getTime() / 1000)
      const hash = sha256(delivery.body).toString('hex')
      const claims = {
        iat: seconds,
        exp: seconds + 300,
        ...options.claims,
        ...(options.bodyHashClaim === undefined ? {} : { [options.bodyHashClaim]: hash }),
      }
      const signed = [{ alg: options.algorithm, typ: 'JWT' }, claims]
        .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .join('.')
      const made = Buffer.from(algorithm.make(key, [signed])).toString('base64url')
      return withHeaders(delivery, { [header]: `${prefix}${signed}.${made}` })
    },
  }
}

type Token = {
  readonly signed: string
  readonly signature: Uint8Array
  readonly claims: Readonly<Record<string, unknown>>
}

function readToken(sent: string, prefix: string, algorithm: string): Token | undefined {
  if (!sent.startsWith(prefix)) return undefined
  const parts = sent.slice(prefix.length).split('.', 4)
  const [head = '', payload = '', mark = ''] = parts
  const signature = decodeStrictly(mark, 'base64url')
  const header = readPart(head)
  const claims = readPart(payload)
  if (parts.length !== 3 || signature === undefined || header === undefined || claims === undefined) return undefined
  return header.alg === algorithm ? { signed: `${head}.${payload}`, signature, claims } : undefined
}

function readPart(text: string): Readonly<Record<string, unknown>> | undefined {
  const bytes = decodeStrictly(text, 'base64url')
  const parsed = bytes === undefined ? undefined : parseJson(bytes)
  return parsed?.kind === 'parsed' && isObject(parsed.document) ? parsed.document : undefined
}

function isTime(claim: unknown): boolean {
  return claim === undefined || (typeof claim === 'number' && Number.isFinite(claim))
}

function timesOf({ iat, nbf, exp }: Readonly<Record<string, unknown>>): Partial<Proof> {
  return {
    ...(typeof iat === 'number' ? { timestampSeconds: iat } : {}),
    ...(typeof nbf === 'number' ? { validFromSeconds: nbf } : {}),
    ...(typeof exp === 'number' ? { validUntilSeconds: exp } : {}),
  }
}

function isHashOf(claim: unknown, body: Uint8Array): boolean {
  const bytes = typeof claim === 'string' ? decodeStrictly(claim, 'hex_any_case') : undefined
  return bytes !== undefined && isSame(bytes, sha256(body))
}
