import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { defineProvider } from '../define-provider.ts'
import type { Provider } from '../provider.ts'
import type { ProviderOptions } from '../provider-options.ts'
import { type JwtOptions, jwt } from './jwt.ts'

const secret = 'a-secret-that-is-long-enough'
const at = new Date('2026-11-15T12:00:00Z')
const now = at.getTime() / 1000
const url = 'https://hooks.example.com/in'

function sourceOf(options: Partial<JwtOptions>, more: ProviderOptions = {}): Provider {
  const scheme = jwt({ algorithm: 'HS256', ...options })
  return defineProvider({ name: 'acme', scheme, identify: () => ({ id: '1', type: 'a' }) })({ secret, ...more })
}

/** A delivery with a token of any content, signed with the right secret. */
function deliveryWith(claims: object, header: object = { alg: 'HS256' }, calledUrl: string = url) {
  const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  const mark = createHmac('sha256', secret).update(signed).digest('base64url')
  return { url: calledUrl, headers: { authorization: `Bearer ${signed}.${mark}` } }
}

describe('the times of a token', () => {
  const kindAt = (options: Partial<JwtOptions>, claims: object) =>
    sourceOf(options).verify(deliveryWith(claims), at).kind

  test('limit its age by the tolerance', () => {
    expect(kindAt({}, { iat: now - 300 })).toBe('authentic')
    expect(kindAt({}, { iat: now - 301 })).toBe('forged')
    expect(kindAt({}, { iat: now + 301 })).toBe('forged')
  })

  test('limit nothing but its start and end, where a sender uses it for long', () => {
    const options = { issuedAt: 'start', requiredTimes: ['iat', 'exp'] } as const

    expect(kindAt(options, { iat: now - 3000, exp: now + 600 })).toBe('authentic')
    expect(kindAt(options, { iat: now + 301, exp: now + 600 })).toBe('forged')
    expect(kindAt(options, { iat: now - 3000, exp: now - 301 })).toBe('forged')
    expect(kindAt(options, { iat: now - 3000, nbf: now + 301, exp: now + 600 })).toBe('forged')
    expect(kindAt(options, { iat: now - 3000 })).toBe('forged')
  })

  test('are over at the second where no grace is given, while clocks may still differ at the start', () => {
    const options = { issuedAt: 'start', graceSeconds: 0 } as const

    expect(kindAt(options, { exp: now })).toBe('authentic')
    expect(kindAt(options, { exp: now - 1 })).toBe('forged')
    expect(kindAt(options, { iat: now + 5, exp: now + 300 })).toBe('authentic')
    expect(kindAt(options, { iat: now + 301, exp: now + 600 })).toBe('forged')
  })

  test('need not be there for a sender that has none, and then nothing is said of a tolerance', () => {
    const source = sourceOf({ times: 'none' })

    expect(source.verify(deliveryWith({}), at).kind).toBe('authentic')
    expect(source.facts.toleranceSeconds).toBeUndefined()
    expect(() => sourceOf({ times: 'none' }, { toleranceSeconds: 10 })).toThrow(/no effect/)
    expect(source.verify(deliveryWith({ exp: now - 1 }), at).kind).toBe('forged')
  })
})

describe('the claims of a token', () => {
  const rules = {
    iss: ['https://accounts.acme.example', 'accounts.acme.example'],
    email_verified: true,
    email: 'a@acme.example',
  }
  const claims = { iss: 'accounts.acme.example', email_verified: true, email: 'a@acme.example' }
  const judge = (changed: object) => sourceOf({ claims: rules }).verify(deliveryWith({ ...claims, ...changed }), at)

  test('may be one of several texts', () => {
    expect(judge({}).kind).toBe('authentic')
    expect(judge({ iss: 'https://accounts.acme.example' }).kind).toBe('authentic')
  })

  test.each([
    { iss: 'https://evil.example' },
    { iss: undefined },
    { iss: ['accounts.acme.example'] },
    { email_verified: 'true' },
    { email_verified: undefined },
    { email: 'b@acme.example' },
    { email: 'A@acme.example' },
  ])('are not what they must be: %j', (changed) => {
    const [name] = Object.keys(changed)

    expect(judge(changed)).toEqual({
      kind: 'forged',
      reason: 'signature_mismatch',
      hint: `The claim "${name}" of the token is not what this source expects.`,
    })
  })
})

describe('the audience of a token', () => {
  test('is one that was named, alone or among others', () => {
    const source = sourceOf({ audience: ['acme', 'acme-old'] })

    expect(source.verify(deliveryWith({ aud: 'acme-old' }), at).kind).toBe('authentic')
    expect(source.verify(deliveryWith({ aud: ['other', 'acme'] }), at).kind).toBe('authentic')
    for (const aud of ['other', ['other'], [], undefined, '', { acme: true }]) {
      expect(source.verify(deliveryWith({ aud }), at)).toMatchObject({
        kind: 'forged',
        hint: 'The token is meant for another audience (its claim "aud") than this source.',
      })
    }
  })

  test('is the address that was called', () => {
    const source = sourceOf({ audience: 'called_url' })

    expect(source.verify(deliveryWith({ aud: url }), at).kind).toBe('authentic')
    expect(source.verify(deliveryWith({ aud: url }, undefined, `${url}?a=b`), at).kind).toBe('forged')
    expect(source.verify(deliveryWith({ aud: 'https://evil.example' }), at).kind).toBe('forged')
  })

  test('is the public address behind a proxy, and a hint says so while that is not set', () => {
    const called = deliveryWith({ aud: url }, undefined, 'http://10.0.0.7/in')
    const behind = { audience: 'called_url' } as const
    const plain = deliveryWith({ aud: url }, undefined, url.replace('https', 'http'))

    expect(sourceOf(behind, { publicUrl: 'https://hooks.example.com' }).verify(called, at).kind).toBe('authentic')
    expect(sourceOf(behind).verify(plain, at)).toMatchObject({ hint: expect.stringContaining('set publicUrl') })
  })
})

describe('the header of a token', () => {
  test.each([
    { alg: 'none' },
    { alg: 'hs256' },
    { alg: 'HS512' },
    {},
    { alg: 'HS256', crit: ['exp'] },
    { alg: 'HS256', crit: [] },
  ])('is refused whatever the signature says: %j', (header) => {
    expect(sourceOf({}).verify(deliveryWith({}, header), at)).toMatchObject({ reason: 'signature_malformed' })
  })
})
