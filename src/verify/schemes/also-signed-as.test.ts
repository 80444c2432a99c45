import { describe, expect, test } from 'vitest'
import { hmac } from '../algorithms/hmac.ts'
import { defineProvider } from '../define-provider.ts'
import { field } from '../object.ts'
import { alsoSignedAs } from './also-signed-as.ts'
import { signature } from './signature.ts'
import { plain } from './signature-format.ts'

const at = new Date('2026-11-15T12:00:00.000Z')
const scheme = signature({
  header: 'x-signature',
  format: plain({ algorithm: hmac('sha256'), encoding: 'hex' }),
  over: '{url}{body}',
})

describe('a signature over another spelling', () => {
  const source = defineProvider({
    name: 'acme',
    scheme: alsoSignedAs(scheme, ({ url }) => (url.includes('%3A') ? { url: url.replaceAll('%3A', ':') } : undefined)),
    identify: ({ document }) => ({ id: field(document, 'id'), type: 'event' }),
  })({ secret: 'a-secret-that-is-long-enough' })
  const signedFor = (url: string) => source.sign({ url, body: '{"id":"1"}' }, at)

  test('is as good as one over what came', () => {
    const delivery = signedFor('https://a.example/in?x=a:b')

    expect(source.verify(delivery, at).kind).toBe('authentic')
    expect(source.verify({ ...delivery, url: 'https://a.example/in?x=a%3Ab' }, at).kind).toBe('authentic')
  })

  test('is one over what came, where that is what was signed', () => {
    expect(source.verify(signedFor('https://a.example/in?x=a%3Ab'), at).kind).toBe('authentic')
  })

  test('is none over anything else', () => {
    const delivery = signedFor('https://a.example/in?x=a:b')

    expect(source.verify({ ...delivery, url: 'https://a.example/in?x=a%3Ac' }, at).kind).toBe('forged')
    expect(source.verify({ ...delivery, body: '{"id":"2"}' }, at).kind).toBe('forged')
  })
})
