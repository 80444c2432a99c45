import { describe, expect, test } from 'vitest'
import { type PlainRequest, readPlainRequest } from './plain-request.ts'

const usual = ['Host: hooks.example', 'Content-Length: 2'] as const

function bytesOf(requestLine: string, headers: readonly string[], body = '{}'): Buffer {
  return Buffer.from(`${[requestLine, ...headers].join('\r\n')}\r\n\r\n${body}`, 'latin1')
}

function requestOf(bytes: Buffer): PlainRequest | undefined {
  const reading = readPlainRequest(bytes)
  return typeof reading === 'string' ? undefined : reading.request
}

describe('a plain request', () => {
  test('is read with its target, its headers in order and where its body is', () => {
    const bytes = bytesOf('POST /in/acme?a=%41 HTTP/1.1', [...usual, 'X-Acme:  v1=a, b\t', 'x-acme: second', 'Empty:'])

    const request = requestOf(bytes)

    expect(request?.target).toBe('/in/acme?a=%41')
    expect([...(request?.headers ?? [])]).toEqual([
      ['host', ['hooks.example']],
      ['content-length', ['2']],
      ['x-acme', ['v1=a, b', 'second']],
      ['empty', ['']],
    ])
    expect(bytes.toString('latin1', request?.bodyStart)).toBe('{}')
    expect(request?.bodyBytes).toBe(2)
  })

  test.for([
    ['keep-alive', []],
    ['keep-alive', ['Connection: Keep-Alive']],
    ['close', ['connection: close']],
  ] as const)('keeps its connection as it asks: %s', ([connection, headers]) => {
    expect(requestOf(bytesOf('POST /in/acme HTTP/1.1', [...usual, ...headers]))?.connection).toBe(connection)
  })

  test('is unfinished until all of its head has come', () => {
    const bytes = bytesOf('POST /in/acme HTTP/1.1', usual)
    const headBytes = bytes.length - 2

    const readings = Array.from({ length: headBytes }, (_, length) => readPlainRequest(bytes.subarray(0, length)))

    expect(new Set(readings)).toEqual(new Set(['unfinished']))
    expect(requestOf(bytes.subarray(0, headBytes))?.bodyBytes).toBe(2)
  })
})

describe('for another parser is', () => {
  test.for([
    ['another method', 'GET /in/acme HTTP/1.1', usual],
    ['a method in lower case', 'post /in/acme HTTP/1.1', usual],
    ['an older version', 'POST /in/acme HTTP/1.0', usual],
    ['a version that goes on', 'POST /in/acme HTTP/1.11', usual],
    ['a whole URL', 'POST http://hooks.example/in/acme HTTP/1.1', usual],
    ['a second space', 'POST  /in/acme HTTP/1.1', usual],
    ['a tab in the target', 'POST /in/\tacme HTTP/1.1', usual],
    ['a letter beyond ASCII in the target', 'POST /in/\u00e4 HTTP/1.1', usual],
    ['no host', 'POST /in/acme HTTP/1.1', ['Content-Length: 2']],
    ['two hosts', 'POST /in/acme HTTP/1.1', [...usual, 'Host: other.example']],
    ['no length', 'POST /in/acme HTTP/1.1', ['Host: hooks.example']],
    ['two lengths', 'POST /in/acme HTTP/1.1', [...usual, 'Content-Length: 2']],
    ['a length with a sign', 'POST /in/acme HTTP/1.1', ['Host: a', 'Content-Length: +2']],
    ['a list of lengths', 'POST /in/acme HTTP/1.1', ['Host: a', 'Content-Length: 2, 2']],
    ['a length in hexadecimal digits', 'POST /in/acme HTTP/1.1', ['Host: a', 'Content-Length: 0x2']],
    ['chunks', 'POST /in/acme HTTP/1.1', [...usual, 'Transfer-Encoding: chunked']],
    ['a name with a space behind it', 'POST /in/acme HTTP/1.1', [...usual, 'Transfer-Encoding : chunked']],
    ['a name with a space before it', 'POST /in/acme HTTP/1.1', [...usual, ' Transfer-Encoding: chunked']],
    ['a folded line', 'POST /in/acme HTTP/1.1', [...usual, 'X-Acme: a', ' b']],
    ['a line without a colon', 'POST /in/acme HTTP/1.1', [...usual, 'X-Acme', 'X-Other: a']],
    ['a header without a name', 'POST /in/acme HTTP/1.1', [...usual, ': a']],
    ['a line feed alone', 'POST /in/acme HTTP/1.1', [...usual, 'X-Acme: a\nTransfer-Encoding: chunked']],
    ['a carriage return alone', 'POST /in/acme HTTP/1.1', [...usual, 'X-Acme: a\rTransfer-Encoding: chunked']],
    ['a zero byte', 'POST /in/acme HTTP/1.1', [...usual, 'X-Acme: a\u0000b']],
    ['a letter beyond ASCII', 'POST /in/acme HTTP/1.1', [...usual, 'X-Acme: \u00e4']],
    ['a question before the body', 'POST /in/acme HTTP/1.1', [...usual, 'Expect: 100-continue']],
    ['another protocol', 'POST /in/acme HTTP/1.1', [...usual, 'Upgrade: h2c', 'Connection: upgrade']],
    ['a list about the connection', 'POST /in/acme HTTP/1.1', [...usual, 'Connection: close, x-acme']],
    ['a head of more than 16 KB', 'POST /in/acme HTTP/1.1', [...usual, `X-Long: ${'x'.repeat(16_384)}`]],
  ] as const)('%s', ([, requestLine, headers]) => {
    expect(readPlainRequest(bytesOf(requestLine, headers))).toBe('other')
  })

  test('what does not begin like one, as soon as that is seen', () => {
    expect(readPlainRequest(Buffer.from('GE'))).toBe('other')
    expect(readPlainRequest(Buffer.from([22, 3, 1, 2, 0]))).toBe('other')
  })

  test('a head that goes on for more than 16 KB', () => {
    expect(readPlainRequest(Buffer.from(`POST /in/acme HTTP/1.1\r\nX-Long: ${'x'.repeat(16_400)}`))).toBe('other')
  })
})
