import { isUtf8 } from 'node:buffer'
import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseJson } from './json.ts'
import { readMembers, wantMembers } from './json-members.ts'
import { findMembers } from './json-places.ts'
import { field } from './object.ts'

const paths = ['id', 'type', 'data.object.id', 'data.list', 'rows.0.id', 'ключ', '__proto__.a', 'constructor', 'a"b']
const wanted = wantMembers(paths)
const read = (text: string) => readMembers(Buffer.from(text, 'utf8'), wanted)

/** That both readers say the same of these bytes: the same refusal, or the same at every wanted path. */
function expectSame(bytes: Uint8Array): void {
  const whole = parseJson(bytes)

  expect(isDeepStrictEqual(seenIn(readMembers(bytes, wanted)), seenIn(whole))).toBe(true)
  // A document that is refused for no reason would be read after all, by `parseJson`, and be slow.
  expect(isUtf8(bytes) && findMembers(bytes, wanted.root, wanted.places)).toBe(whole.kind === 'parsed')
}

function seenIn(parsed: ReturnType<typeof parseJson>): unknown {
  return parsed.kind === 'malformed' ? parsed : paths.map((path) => field(parsed.document, path))
}

const spaces = fc.constantFrom('', '', '', ' ', '\n', '\t\r\n  ')
const numbers = fc.constantFrom(
  '0',
  '-0',
  '1',
  '-17',
  '1790000000',
  '9007199254740993',
  '-12345678901234567890',
  '1.5e3',
  '2E-7',
  '1e999',
)
const quoted = fc.constantFrom(
  String.raw`"\ud800"`,
  String.raw`"\u00e9\n\/"`,
  '"é😀"',
  '"12345678901234567890"',
  String.raw`"[{\"\\"`,
)
const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }).map((text) => JSON.stringify(text)),
  quoted,
)
const names = fc.constantFrom(
  ...['id', 'type', 'data', 'object', 'list', 'rows', 'ключ', '__proto__', 'constructor', 'a', 'a"b', 'other'].map(
    (name) => JSON.stringify(name),
  ),
  String.raw`"\u0069d"`,
  String.raw`"d\u0061ta"`,
  String.raw`"id\u0000"`,
  '""',
)
const { value: documents } = fc.letrec<{ value: string; list: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.oneof(numbers, texts, fc.constantFrom('true', 'false', 'null')),
    tie('object'),
    tie('object'),
    tie('list'),
  ),
  list: fc
    .tuple(spaces, fc.array(tie('value'), { maxLength: 3 }))
    .map(([space, values]) => `[${space}${values.join(`,${space}`)}${space}]`),
  object: fc
    .tuple(spaces, fc.array(fc.tuple(names, tie('value')), { maxLength: 6 }))
    .map(
      ([space, members]) =>
        `{${space}${members.map(([name, value]) => `${name}${space}:${space}${value}`).join(`${space},`)}${space}}`,
    ),
}))

describe('the members of a document', () => {
  test('are those of the whole document, whatever it holds', () => {
    fc.assert(
      fc.property(documents, (text) => {
        expect(parseJson(Buffer.from(text)).kind).toBe('parsed')
        expectSame(Buffer.from(text))
      }),
      { numRuns: 1000 },
    )
  })

  test('are those of the whole document, or refused with its words, after any damage to the bytes', () => {
    const odd = fc.constantFrom(...Buffer.from('{}[]:,"\\u0 1-+.eEtn/'), 0x00, 0x1f, 0x7f, 0xc3, 0xa9, 0xed, 0xff)
    const damage = fc.record({ place: fc.nat(), bytes: fc.array(odd, { maxLength: 2 }), removed: fc.nat(3) })

    fc.assert(
      fc.property(documents, fc.array(damage, { minLength: 1, maxLength: 3 }), (text, damages) => {
        const bytes = [...Buffer.from(text)]
        for (const { place, bytes: added, removed } of damages)
          bytes.splice(place % (bytes.length + 1), removed, ...added)
        expectSame(Uint8Array.from(bytes))
      }),
      { numRuns: 3000 },
    )
  })

  test.each([
    '',
    ' ',
    '"\n"',
    '"\u0000"',
    '{"a" 1}',
    '{"id":1} {}',
    '1 2',
    '\ufeff{}',
    '{"id":1}\u0000',
    '{}\u00a0',
    '[1 2]',
    '{"a":1 "b":2}',
    ...'01 1. - +1 .5 1e 1e+ -01 0x1 nul nulll TRUE NaN " { [ } ] {] [} [1,] [,1] {"a":1,} {,"a":1} {"a"} {"a":}'.split(
      ' ',
    ),
    ...String.raw`"\ "\" "\u12" "\u12g4" "\x" {a:1} {'a':1} {1:1} {"id":1}x`.split(' '),
  ])('are refused as the whole document is: %j', (text) => {
    expect(read(text)).toEqual(parseJson(Buffer.from(text)))
    expect(read(text).kind).toBe('malformed')
  })

  test.each(['5', '"id"', 'null', 'true', '[]', '[{"id":1}]', ' {} ', '{"data":[]}', '{"rows":{"0":{"id":1}}}', '-0'])(
    'are looked for in any document: %j',
    (text) => {
      expect(read(text).kind).toBe('parsed')
      expectSame(Buffer.from(text))
    },
  )

  test('are all that is built', () => {
    const text =
      '{"id":"evt_1","livemode":true,"data":{"object":{"id":7,"lines":[{"id":8}]},"previous":{}},"request":{"id":null}}'

    expect(read(text)).toStrictEqual({ kind: 'parsed', document: { id: 'evt_1', data: { object: { id: 7 } } } })
  })

  test('are the last of several with one name, and a later object starts anew', () => {
    expect(read('{"id":1,"id":2,"data":{"object":{"id":3}},"data":5}')).toStrictEqual({
      kind: 'parsed',
      document: { id: 2, data: 5 },
    })
    expect(read('{"data":{"object":{"id":3},"list":[1]},"d\\u0061ta":{"list":[2]}}')).toStrictEqual({
      kind: 'parsed',
      document: { data: { list: [2] } },
    })
  })

  test('keep the digits of whole numbers beyond 2^53, also inside lists', () => {
    expect(read('{"id":12345678901234567890,"data":{"list":[-9007199254740993]}}')).toStrictEqual({
      kind: 'parsed',
      document: { id: 12345678901234567890n, data: { list: [-9007199254740993n] } },
    })
  })

  test('change no prototype', () => {
    const parsed = read('{"__proto__":{"a":1},"constructor":2}')

    expect(parsed.kind === 'parsed' && Object.getPrototypeOf(parsed.document)).toBe(Object.prototype)
    expectSame(Buffer.from('{"__proto__":{"a":1},"constructor":2}'))
  })

  test('may be inside 512 levels and no more, of lists and objects alike', () => {
    const lists = (levels: number) => `{"id":1,"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
    const objects = (levels: number) => `${'{"data":'.repeat(levels)}1${'}'.repeat(levels)}`

    for (const nested of [lists, objects]) {
      expect(read(nested(512)).kind).toBe('parsed')
      expect(read(nested(513))).toEqual({ kind: 'malformed', detail: expect.stringContaining('512 levels') })
    }
    for (const levels of [510, 511, 512, 513, 514]) {
      const bytes = Buffer.from(lists(levels))
      for (const some of [bytes, bytes.subarray(1), bytes.subarray(0, -1)]) expectSame(some)
    }
  })

  test('are found in bytes that start inside a larger buffer', () => {
    const inside = new Uint8Array(Buffer.from('xx{"id":"é"}xx')).subarray(2, 13)

    expect(readMembers(inside, wanted)).toStrictEqual({ kind: 'parsed', document: { id: 'é' } })
  })

  test('are whole where a path leads to the member and another into it', () => {
    const both = wantMembers(['data.id', 'data'])

    expect(readMembers(Buffer.from('{"data":{"id":1,"more":2}}'), both)).toStrictEqual({
      kind: 'parsed',
      document: { data: { id: 1, more: 2 } },
    })
  })

  test.each([
    ['a million open brackets', '['.repeat(1_000_000)],
    ['a million quotes', '"'.repeat(1_000_001)],
    ['a million digits', '1'.repeat(1_000_000)],
    ['a hundred thousand equal names', `{${'"id":1,'.repeat(100_000)}"data":{}}`],
    ['a hundred thousand objects on the way', `{${'"data":{},'.repeat(100_000)}"id":1}`],
  ])('are judged quickly in %s', (_name, text) => {
    const started = performance.now()

    read(text)

    expect(performance.now() - started).toBeLessThan(2000)
  })
})
