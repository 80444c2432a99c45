import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseJson } from './json.ts'
import { PassedDocument } from './passed-document.ts'

const bytesOf = (text: string) => Buffer.from(text, 'utf8')

describe('a document that is passed on', () => {
  test('is what identity reads, and what a handler would have parsed, whatever it holds', () => {
    const texts = fc.oneof(fc.json(), fc.constantFrom('', '{', '[12345678901234567890]', '{"id":9007199254740993}'))
    fc.assert(
      fc.property(texts, (text) => {
        const passed = new PassedDocument(true)
        const body = bytesOf(text)

        expect(passed.parse(body)).toEqual(parseJson(body, 'exact'))
        expect(passed.take() ?? parseJson(body, 'plain')).toEqual(parseJson(body, 'plain'))
      }),
    )
  })

  test('is not passed on if a handler would read another number', () => {
    const passed = new PassedDocument(true)

    expect(passed.parse(bytesOf('{"id":9007199254740993}'))).toEqual({
      kind: 'parsed',
      document: { id: 9007199254740993n },
    })
    expect(passed.take()).toBeUndefined()
  })

  test('is for the first who asks, because that one may change it', () => {
    const passed = new PassedDocument(true)
    passed.parse(bytesOf('{"id":1}'))

    expect(passed.take()).toEqual({ kind: 'parsed', document: { id: 1 } })
    expect(passed.take()).toBeUndefined()
  })

  test('is malformed where it is not UTF-8', () => {
    expect(new PassedDocument(true).parse(Buffer.from([0x22, 0xff, 0x22]))).toEqual({
      kind: 'malformed',
      detail: 'The body is not valid UTF-8.',
    })
  })
})
