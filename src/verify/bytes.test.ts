import { describe, expect, test } from 'vitest'
import { decodeStrictly, encode, isSame, isSameSecret } from './bytes.ts'

describe('a decoded text', () => {
  test.each(['hex', 'hex_any_case', 'base64', 'base64url'] as const)('is what was encoded as %s', (encoding) => {
    const bytes = Buffer.from([0, 250, 255, 62, 63])

    expect(decodeStrictly(encode(bytes, encoding), encoding)).toEqual(bytes)
  })

  test.each([
    ['', 'hex'],
    ['0', 'hex'],
    ['0g', 'hex'],
    ['AB', 'hex'],
    ['ab\n', 'hex'],
    ['0xab', 'hex'],
    ['YQ', 'base64'],
    ['YR==', 'base64'],
    ['Y Q==', 'base64'],
    ['YQ==\n', 'base64'],
    ['-_8=', 'base64'],
    ['+/8=', 'base64url'],
    ['YQ==', 'base64url'],
    ['a'.repeat(20_000), 'hex'],
  ] as const)('does not exist for %j as %s', (text, encoding) => {
    expect(decodeStrictly(text, encoding)).toBeUndefined()
  })

  test('may be upper case where the provider allows it', () => {
    expect(decodeStrictly('AB', 'hex_any_case')).toEqual(Buffer.from([0xab]))
  })
})

describe('a comparison of secrets', () => {
  const bytes = (text: string) => Buffer.from(text)

  test('is false, and does not throw, for different lengths', () => {
    expect(isSame(bytes('ab'), bytes('abc'))).toBe(false)
    expect(isSameSecret(bytes('ab'), bytes('abc'))).toBe(false)
  })

  test('is false for two empty ones', () => {
    expect(isSame(bytes(''), bytes(''))).toBe(false)
    expect(isSameSecret(bytes(''), bytes(''))).toBe(false)
  })

  test('is true for equal ones', () => {
    expect(isSame(bytes('ab'), bytes('ab'))).toBe(true)
    expect(isSameSecret(bytes('ab'), bytes('ab'))).toBe(true)
  })
})
