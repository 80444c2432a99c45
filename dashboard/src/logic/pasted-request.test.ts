import { describe, expect, test } from 'vitest'
import { readPastedRequest } from './pasted-request.ts'

describe('a pasted request', () => {
  test('has a method, an address, headers and the exact body', () => {
    const text =
      'POST /in/stripe?x=1 HTTP/1.1\r\nHost: api.example.com\r\nStripe-Signature:  t=1,v1=ab \r\n\r\n{"a": 1}\n\nend\n'

    expect(readPastedRequest(text)).toEqual({
      method: 'POST',
      url: 'https://api.example.com/in/stripe?x=1',
      headers: [
        ['host', 'api.example.com'],
        ['stripe-signature', 't=1,v1=ab'],
      ],
      body: '{"a": 1}\n\nend\n',
    })
  })

  test('may be headers alone, or have a whole address', () => {
    expect(readPastedRequest('x-a: 1\nno header\n\nbody')).toEqual({
      method: 'POST',
      url: undefined,
      headers: [['x-a', '1']],
      body: 'body',
    })
    expect(readPastedRequest('PUT http://localhost:3000/x')).toMatchObject({
      method: 'PUT',
      url: 'http://localhost:3000/x',
    })
    expect(readPastedRequest('')).toMatchObject({ headers: [], body: '' })
  })
})
