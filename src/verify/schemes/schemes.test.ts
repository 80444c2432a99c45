import { generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { onlyHeader } from '../../delivery/delivery.ts'
import type { Algorithm } from '../algorithms/algorithm.ts'
import { ecdsa } from '../algorithms/ecdsa.ts'
import { ed25519 } from '../algorithms/ed25519.ts'
import { rsa } from '../algorithms/rsa.ts'
import { defineProvider } from '../define-provider.ts'
import { anyPrivateKey, anyPublicKey } from '../keys.ts'
import { field } from '../object.ts'
import type { Provider } from '../provider.ts'
import type { ProviderOptions } from '../provider-options.ts'
import type { Scheme } from '../scheme.ts'
import { basicAuth } from './basic-auth.ts'
import { jwt } from './jwt.ts'
import { signature } from './signature.ts'
import { plain } from './signature-format.ts'
import { token } from './token.ts'

const at = new Date('2026-11-15T12:00:00.000Z')
const later = (seconds: number) => new Date(at.getTime() + seconds * 1000)
const secret = 'a-secret-that-is-long-enough'

function sourceOf(scheme: Scheme): (options: ProviderOptions) => Provider {
  return defineProvider({
    name: 'acme',
    scheme,
    identify: ({ document }) => ({ id: field(document, 'id'), type: 'event' }),
  })
}

const rsaPair = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ecPair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const edPair = generateKeyPairSync('ed25519')

function pem({ publicKey, privateKey }: KeyPairKeyObjectResult): ProviderOptions {
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

const keyPairCases: readonly (readonly [string, Algorithm, KeyPairKeyObjectResult])[] = [
  ['Ed25519', ed25519, edPair],
  ['ECDSA', ecdsa(), ecPair],
  ['ECDSA side by side', ecdsa({ form: 'raw' }), ecPair],
  ['RSA', rsa(), rsaPair],
  ['RSA-PSS', rsa({ padding: 'pss' }), rsaPair],
]

describe.each(keyPairCases)('a signature by %s', (_name, algorithm, pair) => {
  const create = sourceOf(
    signature({
      header: 'x-signature',
      format: plain({ algorithm, encoding: 'base64' }),
      publicKey: anyPublicKey,
      privateKey: anyPrivateKey,
    }),
  )

  test('is authentic with its public key and over its own body only', () => {
    const source = create(pem(pair))
    const delivery = source.sign({}, at)

    expect(source.verify(delivery, at).kind).toBe('authentic')
    expect(source.verify({ ...delivery, body: '{}' }, at)).toMatchObject({ reason: 'signature_mismatch' })
  })

  test('is a mismatch, not a failure, with a public key of another kind', () => {
    const delivery = create(pem(pair)).sign({}, at)
    const others = [rsaPair, ecPair, edPair].filter((other) => other !== pair)

    for (const other of others) expect(create(pem(other)).verify(delivery, at)).toMatchObject({ kind: 'forged' })
  })

  test('cannot be made with the public key alone', () => {
    const source = create({ publicKey: pem(pair).publicKey })

    expect(() => source.sign({}, at)).toThrow(expect.objectContaining({ code: 'ONCEHOOK_CANNOT_SIGN' }))
  })
})

describe('a public key that cannot be read', () => {
  test('stops the source from starting', () => {
    const create = sourceOf(jwt({ algorithm: 'RS256' }))

    expect(() => create({ publicKey: 'nonsense' })).toThrow(/source acme cannot start: "publicKey" is not a public key/)
  })
})

describe('a JSON Web Token', () => {
  const create = sourceOf(jwt({ algorithm: 'HS256', bodyHashClaim: 'payload_hash', claims: { iss: 'acme' } }))
  const source = create({ secret })
  const delivery = source.sign({}, at)
  const [head = '', claims = '', mark = ''] = (onlyHeader(delivery.headers, 'authorization') ?? '')
    .slice('Bearer '.length)
    .split('.')
  const encoded = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const withToken = (text: string) => ({ ...delivery, headers: { authorization: `Bearer ${text}` } })

  test.each([
    ['HS256', { secret }],
    ['HS512', { secret }],
    ['RS256', pem(rsaPair)],
    ['PS256', pem(rsaPair)],
    ['ES256', pem(ecPair)],
    ['EdDSA', pem(edPair)],
  ] as const)('is authentic when signed with %s', (algorithm, options) => {
    const signer = sourceOf(jwt({ algorithm }))(options)

    expect(signer.verify(signer.sign({}, at), at)).toEqual({ kind: 'authentic', secretIndex: 0 })
  })

  test('covers the body by its hash', () => {
    expect(source.verify({ ...delivery, body: '{}' }, at)).toMatchObject({ reason: 'signature_mismatch' })
  })

  test('has no say in its algorithm', () => {
    for (const alg of ['none', 'HS512', 'hs256', undefined]) {
      expect(source.verify(withToken(`${encoded({ alg })}.${claims}.${mark}`), at)).toMatchObject({
        reason: 'signature_malformed',
      })
    }
    expect(source.verify(withToken(`${encoded({ alg: 'none' })}.${claims}.`), at)).toMatchObject({ kind: 'forged' })
  })

  test('cannot turn a public key into a shared secret', () => {
    const { publicKey } = pem(rsaPair)
    const forged = sourceOf(jwt({ algorithm: 'HS256' }))({ secret: publicKey }).sign({}, at)

    expect(sourceOf(jwt({ algorithm: 'RS256' }))(pem(rsaPair)).verify(forged, at)).toMatchObject({ kind: 'forged' })
  })

  test('must hold the times that are asked for', () => {
    const timed = sourceOf(jwt({ algorithm: 'HS256', requiredTimes: ['iat', 'nbf'] }))({ secret })

    expect(timed.verify(timed.sign({}, at), at)).toMatchObject({ reason: 'timestamp_missing' })
  })

  test('may be checked with a JSON Web Key', () => {
    const { privateKey } = pem(ecPair)
    const source = sourceOf(jwt({ algorithm: 'ES256' }))({
      publicKey: JSON.stringify(ecPair.publicKey.export({ format: 'jwk' })),
      privateKey,
    })

    expect(source.verify(source.sign({}, at), at).kind).toBe('authentic')
  })

  test('must hold the claims that are asked for', () => {
    const other = sourceOf(jwt({ algorithm: 'HS256', bodyHashClaim: 'payload_hash', claims: { iss: 'other' } }))({
      secret,
    })

    expect(source.verify(other.sign({}, at), at)).toMatchObject({ reason: 'signature_mismatch' })
  })

  test('is forged when it is stale, expired or of the future', () => {
    expect(source.verify(delivery, later(300)).kind).toBe('authentic')
    expect(source.verify(delivery, later(301))).toMatchObject({ reason: 'timestamp_outside_tolerance' })
    expect(source.verify(delivery, later(-301))).toMatchObject({ reason: 'timestamp_outside_tolerance' })
    expect(create({ secret, toleranceSeconds: 1 }).verify(delivery, later(302))).toMatchObject({
      reason: 'timestamp_outside_tolerance',
    })
  })

  test.each(['', 'a', 'a.b', 'a.b.c', 'a.b.c.d', '.'.repeat(1000)])('is malformed as %j', (text) => {
    expect(source.verify(withToken(text), at)).toMatchObject({ kind: 'forged', reason: 'signature_malformed' })
  })

  test('is malformed when its times are no numbers', () => {
    expect(source.verify(withToken(`${head}.${encoded({ exp: 'never' })}.${mark}`), at)).toMatchObject({
      reason: 'timestamp_malformed',
    })
  })
})

describe('a token in the query', () => {
  const source = sourceOf(token({ query: 'key' }))({ secret })

  test('is authentic when it is the secret, given once', () => {
    const { url } = source.sign({ url: 'https://a.example/in?tenant=1' }, at)

    expect(url).toBe(`https://a.example/in?tenant=1&key=${secret}`)
    expect(source.verify({ url }, at).kind).toBe('authentic')
    expect(source.verify({ url: `${url}&key=other` }, at)).toMatchObject({ reason: 'signature_repeated' })
    expect(source.verify({ url: 'https://a.example/in' }, at)).toMatchObject({ reason: 'token_missing' })
    expect(source.verify({ url: 'https://a.example/in?key=a' }, at)).toMatchObject({ reason: 'token_mismatch' })
  })
})

describe('basic authentication', () => {
  const create = sourceOf(basicAuth())

  test('is authentic for the right user and password', () => {
    const source = create({ secret: 'user:pässword-0123456' })

    expect(source.verify(source.sign({}, at), at).kind).toBe('authentic')
    expect(source.verify(create({ secret: 'user:another-password' }).sign({}, at), at)).toMatchObject({
      reason: 'token_mismatch',
    })
    expect(source.verify({ headers: { authorization: 'Basic !' } }, at)).toMatchObject({
      reason: 'signature_malformed',
    })
    expect(source.verify({}, at)).toMatchObject({ reason: 'token_missing' })
  })

  test('needs a user and a password', () => {
    expect(() => create({ secret: 'only-a-password-here' })).toThrow(/user:password/)
  })
})
