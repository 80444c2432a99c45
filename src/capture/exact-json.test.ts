import { describe, expect, test } from 'vitest'
import { parseRedactionPath } from '../privacy/redaction-path.ts'
import { exactText, readExactJson, valuesAt } from './exact-json.ts'

const read = (text: string) => readExactJson(Buffer.from(text))
const at = (text: string, path: string): readonly string[] => {
  const document = read(text)
  const parsed = parseRedactionPath(path)
  if (document === undefined || 'mistake' in parsed) throw new Error('unreadable')
  return valuesAt(document, parsed.steps).map(exactText)
}

describe('a document', () => {
  test.each([
    '{"amount":1.0,"big":12345678901234567890,"small":1e-7,"negative":-0}',
    '["a\\u0000b","\\ud83d\\ude00","\\"quoted\\" 12",null,true,false,{},[]]',
    '{"__proto__":{"a":1},"n1":"n2","s":"s1"}',
    '12345678901234567890.123',
  ])('%s keeps every digit and every character', (text) => {
    const document = read(text)

    expect(document).toBeDefined()
    expect(JSON.parse(document === undefined ? '' : exactText(document))).toEqual(JSON.parse(text))
    for (const number of text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').match(/-?\d[\d.e-]*/g) ?? [])
      expect(document === undefined ? '' : exactText(document)).toContain(number)
  })

  test('is the same text whatever the order of its members', () => {
    const [one, other] = [read('{"b":1,"a":{"d":2,"c":3}}'), read('{ "a": {"c":3,"d":2}, "b": 1 }')]

    expect(one && exactText(one)).toBe(other && exactText(other))
  })

  test.each(['', '{', '{"a":1,}', "{'a':1}", '\ufeff{}', `${'['.repeat(600)}${']'.repeat(600)}`, 'NaN', '01'])(
    'is not made of %j',
    (text) => {
      expect(read(text)).toBeUndefined()
    },
  )

  test('is not made of invalid UTF-8', () => {
    expect(readExactJson(Buffer.from([0x22, 0xff, 0x22]))).toBeUndefined()
  })
})

describe('a path', () => {
  const text = '{"data":{"items":[{"id":"a","n":1.50},{"id":"b"}]},"id":"c"}'

  test.each([
    ['id', ['"c"']],
    ['data.items[0].n', ['1.50']],
    ['data.items[*].id', ['"a"', '"b"']],
    ['$..id', ['"a"', '"b"', '"c"']],
    ['data.missing', []],
    ['id.deeper', []],
  ])('%s names %j', (path, values) => {
    expect(at(text, path).toSorted()).toEqual(values.toSorted())
  })
})
