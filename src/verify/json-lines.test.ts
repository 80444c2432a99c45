import { describe, expect, test } from 'vitest'
import { parseJsonOrLines } from './json-lines.ts'

const parse = (text: string) => parseJsonOrLines(Buffer.from(text), 'exact')

describe('a body of JSON lines', () => {
  test('is a list of what its lines hold, whatever the line ends and empty lines', () => {
    expect(parse('{"a":1}\n{"a":2}\r\n\n{"a":3}\n')).toEqual({
      kind: 'parsed',
      document: [{ a: 1 }, { a: 2 }, { a: 3 }],
    })
  })

  test('keeps every digit', () => {
    expect(parse('{"id":9007199254740993}\n{"id":9007199254740995}')).toMatchObject({
      document: [{ id: 9007199254740993n }, { id: 9007199254740995n }],
    })
  })

  test('is malformed if one line is, and says which', () => {
    expect(parse('{"a":1}\n{"a":')).toEqual({ kind: 'malformed', detail: 'Line 2: The body is not valid JSON.' })
  })

  test('may be one document, over several lines too', () => {
    expect(parse('{\n"a": 1\n}\n')).toEqual({ kind: 'parsed', document: { a: 1 } })
    expect(parse('[{"a":1},\n{"a":2}]')).toEqual({ kind: 'parsed', document: [{ a: 1 }, { a: 2 }] })
  })

  test('is malformed when it is empty or no JSON at all', () => {
    for (const text of ['', '\n', 'hello']) expect(parse(text)).toMatchObject({ kind: 'malformed' })
  })
})
