import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseJson } from './json.ts'

const parse = (text: string) => parseJson(Buffer.from(text, 'utf8'))
const detail = (part: string) => ({ kind: 'malformed', detail: expect.stringContaining(part) })

describe('a document', () => {
  test('is what JSON.parse makes of it, long whole numbers aside', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        fc.pre(!/\d{16,}(?![\d.e])/.test(text))
        expect(parse(text)).toEqual({ kind: 'parsed', document: JSON.parse(text) as unknown })
      }),
    )
  })

  test('keeps the digits of whole numbers beyond 2^53', () => {
    const text = '{"a":12345678901234567890,"b":[-9007199254740993, 9007199254740991],"c":"12345678901234567890"}'

    expect(parse(text)).toEqual({
      kind: 'parsed',
      document: { a: 12345678901234567890n, b: [-9007199254740993n, 9007199254740991], c: '12345678901234567890' },
    })
  })

  test('leaves fractions, exponents and strings alone', () => {
    const text = String.raw`{"a":1234567890123456.5,"b":1234567890123456e3,"c":"\"12345678901234567890,","\\":0.12345678901234567}`

    expect(parse(text)).toEqual({ kind: 'parsed', document: JSON.parse(text) as unknown })
  })

  test('cannot pass a string off as a number, whatever characters it holds', () => {
    const text = String.raw`{"a":"1","b":"\ue0011","c":"\uE0021","d":12345678901234567890}`

    expect(parse(text)).toEqual({
      kind: 'parsed',
      document: { a: '1', b: '\ue0011', c: '\ue0021', d: 12345678901234567890n },
    })
  })

  test.each([
    '{12345678901234567890:1}',
    '[00000000000000000001]',
    '12345678901234567890 1',
    '"a"12345678901234567890',
    '{',
    'nul',
    "{'a':1}",
  ])('does not exist for %j', (text) => {
    expect(parse(text)).toEqual(detail('not valid JSON'))
  })

  test('is malformed when it is empty, is not UTF-8, or starts with a byte order mark', () => {
    expect(parse('')).toEqual(detail('empty'))
    expect(parseJson(Buffer.from([0x22, 0xff, 0x22]))).toEqual(detail('UTF-8'))
    expect(parse('\ufeff{}')).toEqual(detail('byte order mark'))
  })

  test('may be 512 levels deep and no deeper', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

    expect(parse(nested(512)).kind).toBe('parsed')
    expect(parse(nested(513))).toEqual(detail('512 levels'))
  })

  test('counts brackets outside strings only', () => {
    expect(parse(JSON.stringify({ a: '[{"\\'.repeat(1000) })).kind).toBe('parsed')
  })

  test.each([
    ['a million open brackets', '['.repeat(1_000_000)],
    ['a million objects in each other', '{"a":'.repeat(1_000_000)],
    ['a million quotes', '"'.repeat(1_000_001)],
    [
      'a million escaped quotes and a long number',
      `1234567890123456${String.raw`"\"`}${String.raw`\"`.repeat(1_000_000)}`,
    ],
    ['a million digits', '1'.repeat(1_000_000)],
    ['a million digits and a point', `[${'1'.repeat(1_000_000)}.`],
  ])('is judged quickly for %s', (_name, text) => {
    const started = performance.now()

    parse(text)

    expect(performance.now() - started).toBeLessThan(2000)
  })

  test('never quotes the body in its detail', () => {
    expect(JSON.stringify(parse('{"card":4242424242424242,'))).not.toContain('4242')
  })
})
