import { describe, expect, test } from 'vitest'
import { createHiddenSecrets } from './hidden-secrets.ts'

function hidden(secret: string | Uint8Array, text: string): string {
  const secrets = createHiddenSecrets()
  secrets.remember([secret])
  return secrets.hide(text)
}

describe('a text', () => {
  test.each([
    ['whsec_MfKQ9r8GKYqrTwjU', 'key whsec_MfKQ9r8GKYqrTwjU is wrong', 'key [secret] is wrong'],
    ['whsec_MfKQ9r8GKYqrTwjU', 'key MfKQ9r8GKYqrTwjU, MfKQ9r8GKYqrTwjU', 'key [secret], [secret]'],
    ['shop:a-password', 'Basic c2hvcDphLXBhc3N3b3Jk', 'Basic [secret]'],
    ['shop:a-password', 'for shop: a-password', 'for shop: [secret]'],
    ['line one\nline two', String.raw`{"key":"line one\nline two"}`, '{"key":"[secret]"}'],
    ['with spaces & signs', 'https://a.example/?key=with%20spaces%20%26%20signs', 'https://a.example/?key=[secret]'],
    [Buffer.from('some bytes'), 'hex 736f6d65206279746573, base64 c29tZSBieXRlcw==', 'hex [secret], base64 [secret]'],
  ])('without the secret %j', (secret, text, expected) => {
    expect(hidden(secret, text)).toBe(expected)
  })

  test('is left alone by what is too short to be a secret', () => {
    expect(hidden('test', 'a test of testing')).toBe('a test of testing')
  })

  test('is without those that were looked up lately', () => {
    const secrets = createHiddenSecrets()
    for (let tenant = 0; tenant < 201; tenant += 1) secrets.remember([`secret-of-tenant-${tenant}.`])

    expect(secrets.hide('secret-of-tenant-200. and secret-of-tenant-1.')).toBe('[secret] and [secret]')
    expect(secrets.hide('secret-of-tenant-0.')).toBe('secret-of-tenant-0.')
  })
})
