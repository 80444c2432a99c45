import { describe, expect, test } from 'vitest'
import { forwardAddress, shownAddress } from './forward-address.ts'

describe('the address that is forwarded to', () => {
  test.each([
    ['http://localhost:3000/webhooks', 'http://localhost:3000/webhooks'],
    ['https://app.example.com/hooks?key=1', 'https://app.example.com/hooks?key=1'],
    ['localhost:3000/webhooks', 'http://localhost:3000/webhooks'],
    ['127.0.0.1:3000', 'http://127.0.0.1:3000/'],
    ['[::1]:3000/a', 'http://[::1]:3000/a'],
  ])('of %s is %s', (text, address) => {
    expect(forwardAddress(text).href).toBe(address)
  })

  test.each(['', 'ftp://localhost', 'http://', 'local host:3000', 'http://localhost:99999', 'file:///etc/passwd'])(
    'is refused for %j',
    (text) => {
      expect(() => forwardAddress(text)).toThrow('--forward is not an address')
    },
  )

  test('is not repeated if it holds a password, nor its query', () => {
    expect(() => forwardAddress('http://me:hush@localhost')).toThrow(/^(?!.*hush)/)
    expect(shownAddress(forwardAddress('localhost:3000/a?key=hush'))).toBe('http://localhost:3000/a?…')
  })
})
