import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redactJson } from './redact-json.ts'
import { type PathStep, parseRedactionPath, type RedactionPath } from './redaction-path.ts'

describe('redacting JSON', () => {
  test.each([
    ['a member', '{"email":"a@b.c","id":1}', ['email'], '{"email":"[redacted]","id":1}'],
    ['an object as a whole', '{"card":{"number":"4242"},"id":1}', ['$.card'], '{"card":"[redacted]","id":1}'],
    ['each element', '[{"e":1},{"e":[2]}]', ['[*].e'], '[{"e":"[redacted]"},{"e":"[redacted]"}]'],
    ['one element', '[1,2,3]', ['[1]'], '[1,"[redacted]",3]'],
    [
      'whatever has the name',
      '{"a":{"k":1},"b":[{"k":2}],"k":3}',
      ['$..k'],
      '{"a":{"k":"[redacted]"},"b":[{"k":"[redacted]"}],"k":"[redacted]"}',
    ],
    ['a name that is written with escapes', '{"em\\u0061il":"x"}', ['email'], '{"em\\u0061il":"[redacted]"}'],
    ['both values of a name that stands twice', '{"a":1,"a":2}', ['a'], '{"a":"[redacted]","a":"[redacted]"}'],
    ['__proto__', '{"__proto__":{"a":1}}', ['__proto__.a'], '{"__proto__":{"a":"[redacted]"}}'],
    ['an empty name', '{"":1}', [`['']`], '{"":"[redacted]"}'],
    ['the outer of two that are named', '{"a":{"b":1}}', ['a.b', 'a'], '{"a":"[redacted]"}'],
  ])('takes out %s', (_, text, paths, expected) => {
    expect(redacted(text, paths)).toBe(expected)
  })

  test('keeps digits, exponents, escapes, spaces and the order of everything else', () => {
    const text =
      '\t{ "n" : 12345678901234567890.10e+400 ,\r\n "s":"\\u00e4\\/\\ud800", "x":"gone", "z" : [ ] , "y":{ } }\n'

    expect(redacted(text, ['x'])).toBe(text.replace('"gone"', '"[redacted]"'))
  })

  test('names only the paths that named something', () => {
    const result = redactJson(Buffer.from('{"a":{"b":1}}'), paths(['a.b', 'a.c', '$..b', '[0]']))

    expect(result).toMatchObject({ found: ['a.b', '$..b'] })
  })

  test('gives the very same bytes back where nothing is named', () => {
    const bytes = Buffer.from('{"a":1}')

    expect(redactJson(bytes, paths(['b']))).toMatchObject({ content: bytes, found: [] })
  })

  test('does not mind depth', () => {
    const depth = 200_000
    const text = `${'[{"a":'.repeat(depth)}"secret"${'}]'.repeat(depth)}`

    const result = redactJson(Buffer.from(text), paths(['$..b', '[0].a[0].a[0].a', '$..a..a..c']))

    expect(result).toMatchObject({ kind: 'redacted', found: ['[0].a[0].a[0].a'] })
  })

  test.each([
    '',
    ' ',
    '{',
    '[1,]',
    '{"a":1,}',
    '{a:1}',
    "{'a':1}",
    '{"a" 1}',
    '{"a":}',
    '[1 2]',
    '01',
    '1.',
    '.5',
    '+1',
    '1e',
    '-',
    'tru',
    'nul',
    'True',
    'NaN',
    '"a',
    '"\n"',
    '"\\x"',
    '"\\u12g4"',
    '"\\',
    '1 2',
    '{}{}',
    '[]]',
    '\ufeff{}',
    '{"a":1}\n{"a":2}',
    '[1}',
    '{"a":1]',
    'undefined',
    '/* */1',
    '\u00a01',
    '"a"b',
    '[,1]',
    '{,}',
    '{"a":1 "b":2}',
  ])('takes %j for no JSON', (text) => {
    expect(redactJson(Buffer.from(text), paths(['a']))).toEqual({ kind: 'unreadable' })
    expect(isParsed(text)).toBe(false)
  })

  test('takes what is not UTF-8 for no JSON', () => {
    expect(redactJson(Buffer.from([0x22, 0xff, 0x22]), paths(['a']))).toEqual({ kind: 'unreadable' })
  })

  test('takes for JSON exactly what JSON.parse takes', () => {
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"\\n"',
      '"',
      '\\',
      '1',
      '-',
      '0',
      '.5',
      'e3',
      'E+1',
      'true',
      'null',
      ' ',
      '\n',
      'x',
    ]
    const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => parts.join(''))

    fc.assert(
      fc.property(fc.oneof(texts, fc.json(), fc.string()), (text) => {
        const isJson = isParsed(text)
        expect(redactJson(Buffer.from(text), paths(['$..b'])).kind === 'redacted').toBe(isJson && text.isWellFormed())
      }),
      { numRuns: 3000 },
    )
  })

  test('replaces what is named and changes no other byte, whatever the document and the paths', () => {
    let replaced = 0
    fc.assert(
      fc.property(documents, fc.array(stepLists, { minLength: 1, maxLength: 4 }), (document, lists) => {
        const chosen = lists.map(toPath)
        const before = textOf(document, () => false)
        const after = textOf(document, (place) => chosen.some(({ steps }) => isNamed(steps, place)))

        const result = redactJson(Buffer.from(before), chosen)

        expect(result.kind === 'redacted' && Buffer.from(result.content).toString('utf8')).toBe(after)
        expect(result.kind === 'redacted' && result.found.length > 0).toBe(before !== after)
        replaced += Number(before !== after)
      }),
      { numRuns: 3000 },
    )
    expect(replaced).toBeGreaterThan(500)
  })
})

function paths(texts: readonly string[]): readonly RedactionPath[] {
  return texts.map((text) => {
    const path = parseRedactionPath(text)
    if ('mistake' in path) throw new Error(path.mistake)
    return path
  })
}

function redacted(text: string, texts: readonly string[]): string {
  const result = redactJson(Buffer.from(text), paths(texts))
  return result.kind === 'redacted' ? Buffer.from(result.content).toString('utf8') : result.kind
}

function isParsed(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** A document as it is written: with its spaces, and names as they are spelled. */
type Node =
  | { readonly kind: 'scalar'; readonly text: string; readonly spaces: string }
  | { readonly kind: 'list'; readonly items: readonly Node[]; readonly spaces: string }
  | { readonly kind: 'object'; readonly members: readonly (readonly [Spelled, Node])[]; readonly spaces: string }

type Spelled = { readonly name: string; readonly text: string }

/** How a value is reached from the root. */
type Way = readonly (string | number)[]

const spaces = fc.constantFrom('', '', '', ' ', '\n\t', '\r\n ')
const names = fc.constantFrom('a', 'b', 'email', 'card.number', 'ü', '', '__proto__', 'a"\\')
const spelled = fc.tuple(names, fc.boolean()).map(([name, isEscaped]) => ({
  name,
  text: isEscaped
    ? `"${Array.from(name, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`
    : JSON.stringify(name),
}))
const scalars = fc.oneof(
  fc.constantFrom('true', 'false', 'null', '-0', '12345678901234567890', '1.50', '1E400', '"\\ud83d"', '"]}\\""'),
  fc.string().map((text) => JSON.stringify(text.toWellFormed())),
)
const { document: documents } = fc.letrec<{ document: Node }>((tie) => ({
  document: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.record({ kind: fc.constant('scalar' as const), text: scalars, spaces }),
    fc.record({ kind: fc.constant('list' as const), items: fc.array(tie('document'), { maxLength: 4 }), spaces }),
    fc.record({
      kind: fc.constant('object' as const),
      members: fc.array(fc.tuple(spelled, tie('document')), { maxLength: 4 }),
      spaces,
    }),
  ),
}))

const stepLists = fc.array(
  fc
    .tuple(
      fc.oneof(
        names.map((name) => ({ kind: 'name' as const, name })),
        fc.nat({ max: 3 }).map((index) => ({ kind: 'index' as const, index })),
        fc.constant({ kind: 'any' as const }),
      ),
      fc.boolean(),
    )
    .map(([target, isAnywhere]): PathStep => ({ ...target, isAnywhere })),
  { minLength: 1, maxLength: 4 },
)

/** Written down and read again, so that the notation is tried too. */
function toPath(steps: readonly PathStep[]): RedactionPath {
  const text = steps.map((step) => `${step.isAnywhere ? '..' : ''}[${insideOf(step)}]`).join('')
  const [path] = paths([`$${text}`])
  expect(path?.steps).toEqual(steps)
  return path as RedactionPath
}

function insideOf(step: PathStep): string {
  if (step.kind === 'any') return '*'
  return step.kind === 'index' ? String(step.index) : JSON.stringify(step.name)
}

/** What a path means, said as plainly as can be. */
function isNamed(steps: readonly PathStep[], way: Way): boolean {
  const [step, ...others] = steps
  if (step === undefined) return way.length === 0
  const [first, ...rest] = way
  if (first === undefined) return false
  return (fits(step, first) && isNamed(others, rest)) || (step.isAnywhere && isNamed(steps, rest))
}

function fits(step: PathStep, key: string | number): boolean {
  if (step.kind === 'any') return true
  return step.kind === 'name' ? step.name === key : step.index === key
}

function textOf(node: Node, isGone: (way: Way) => boolean, way: Way = []): string {
  const space = node.spaces
  if (isGone(way)) return `${space}"[redacted]"${space}`
  switch (node.kind) {
    case 'scalar':
      return `${space}${node.text}${space}`
    case 'list': {
      const items = node.items.map((item, index) => textOf(item, isGone, [...way, index]))
      return `${space}[${items.length === 0 ? space : items.join(',')}]${space}`
    }
    case 'object': {
      const members = node.members.map(
        ([{ name, text }, value]) => `${space}${text}${space}:${textOf(value, isGone, [...way, name])}`,
      )
      return `${space}{${members.length === 0 ? space : members.join(',')}}${space}`
    }
  }
}
