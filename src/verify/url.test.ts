import { describe, expect, test } from 'vitest'
import { asCalled, portVariants, withQueryValue } from './url.ts'

describe('the address that was called', () => {
  test.each([
    ['http://10.0.0.1:3000/in/twilio?a=1', 'https://hooks.example.com', 'https://hooks.example.com/in/twilio?a=1'],
    ['http://10.0.0.1:3000/in/twilio?a=1', 'https://hooks.example.com/', 'https://hooks.example.com/in/twilio?a=1'],
    [
      'http://10.0.0.1:3000/twilio?a=1',
      'https://hooks.example.com/v1/twilio',
      'https://hooks.example.com/v1/twilio?a=1',
    ],
    [
      'http://10.0.0.1:3000/twilio?a=1',
      'https://hooks.example.com:8443/v1?b=2',
      'https://hooks.example.com:8443/v1?b=2',
    ],
    ['/in/twilio?a=%20', 'https://hooks.example.com', 'https://hooks.example.com/in/twilio?a=%20'],
  ])('is for %s behind %s: %s', (url, publicUrl, called) => {
    expect(asCalled(url, publicUrl)).toBe(called)
    expect(asCalled(called, publicUrl)).toBe(called)
  })

  test('is tried with and without a port, without its fragment', () => {
    expect(portVariants('https://a.example/x?y=1#rc=2')).toEqual([
      'https://a.example/x?y=1',
      'https://a.example:443/x?y=1',
    ])
    expect(portVariants('http://a.example:8080')).toEqual(['http://a.example', 'http://a.example:8080'])
    expect(portVariants('https://[::1]:443/x')).toEqual(['https://[::1]/x', 'https://[::1]:443/x'])
  })
})

describe('an address with a query parameter', () => {
  test.each([
    ['https://a.example/in', 'https://a.example/in?token=a%20b'],
    ['https://a.example/in?x=%20&y', 'https://a.example/in?x=%20&y&token=a%20b'],
    ['https://a.example/in?token=old&x=1&token=older#top', 'https://a.example/in?x=1&token=a%20b'],
    ['/in?tokens=1', '/in?tokens=1&token=a%20b'],
  ])('keeps what is around it: %s', (url, expected) => {
    expect(withQueryValue(url, 'token', 'a b')).toBe(expected)
    expect(withQueryValue(expected, 'token', 'a b')).toBe(expected)
  })
})
