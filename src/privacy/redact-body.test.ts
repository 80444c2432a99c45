import { describe, expect, test } from 'vitest'
import { redactByPaths } from './redact-body.ts'
import { parseRedactionPath, type RedactionPath } from './redaction-path.ts'

const form = 'application/x-www-form-urlencoded; charset=utf-8'

describe('redacting a form', () => {
  test.each([
    ['a field', 'From=%2B49&Body=hi&To=1', ['Body'], 'From=%2B49&Body=%5Bredacted%5D&To=1'],
    ['every copy of a field', 'a=1&b=2&a=3', ['$.a'], 'a=%5Bredacted%5D&b=2&a=%5Bredacted%5D'],
    ['a field whose name is encoded', 'B%6fdy=hi&x=%zz', ['Body'], 'B%6fdy=%5Bredacted%5D&x=%zz'],
    ['a name with a plus sign', 'a+b=1', [`['a b']`], 'a+b=%5Bredacted%5D'],
    ['all fields', 'a=1&b', ['*'], 'a=%5Bredacted%5D&b'],
    ['a field after a question mark', '?a=1&?a=2', ['a'], '?a=%5Bredacted%5D&?a=2'],
    ['what is anywhere', 'a=1&b=2', ['$..b'], 'a=1&b=%5Bredacted%5D'],
    [
      'JSON in a field',
      'events=%5B%7B%22e%22%3A1%7D%5D&x=%7b',
      ['events[*].e'],
      `events=${encodeURIComponent('[{"e":"[redacted]"}]')}&x=%7b`,
    ],
    [
      'the document in the field "payload"',
      `payload=${encodeURIComponent('{"user":{"n":12345678901234567890,"name":"Ada"}}')}&z=+`,
      ['user.name'],
      `payload=${encodeURIComponent('{"user":{"n":12345678901234567890,"name":"[redacted]"}}')}&z=+`,
    ],
  ])('takes out %s', (_, body, texts, expected) => {
    const redacted = redactByPaths({ body: Buffer.from(body), contentType: form }, paths(texts))

    expect(Buffer.from(redacted?.content ?? []).toString('utf8')).toBe(expected)
    expect(redacted?.redaction).toEqual({ paths: texts })
  })

  test('keeps bytes that are not UTF-8', () => {
    const body = Buffer.from([...Buffer.from('a=1&b='), 0xff, 0xfe])

    const redacted = redactByPaths({ body, contentType: form }, paths(['a']))

    expect(redacted?.content).toEqual(Buffer.from([...Buffer.from('a=%5Bredacted%5D&b='), 0xff, 0xfe]))
  })

  test('looks at JSON as JSON, even if it is said to be a form', () => {
    const redacted = redactByPaths({ body: Buffer.from('{"a":"x&y=1"}'), contentType: form }, paths(['a']))

    expect(Buffer.from(redacted?.content ?? []).toString('utf8')).toBe('{"a":"[redacted]"}')
  })
})

describe('a body in which nothing can be looked for', () => {
  test.each([
    ['XML', '<a>secret</a>', 'text/xml'],
    ['broken JSON', '{"a":"secret"', 'application/json'],
    ['several documents', '{"a":1}\n{"a":2}', 'application/json'],
    ['bytes', Buffer.from([0xff, 0x00]), ''],
    ['a form that is not said to be one', 'a=secret', ''],
    ['a form with a document that is none', 'payload=secret', form],
  ])('is withheld as a whole: %s', (_, body, contentType) => {
    const redacted = redactByPaths({ body: Buffer.from(body), contentType }, paths(['a']))

    expect(redacted?.content).toHaveLength(0)
    expect(redacted?.redaction).toEqual({ paths: ['$'], withheld: expect.stringContaining('neither JSON nor a form') })
  })

  test('is withheld because the path says so', () => {
    const redacted = redactByPaths({ body: Buffer.from('{}'), contentType: '' }, paths(['a', '$']))

    expect(redacted?.redaction).toEqual({ paths: ['$'], withheld: expect.stringContaining('names the whole body') })
  })
})

test.each([
  ['an empty body', '', ['a']],
  ['a body without what is named', '{"b":1}', ['a']],
  ['a form without what is named', 'b=1', ['a.b']],
  ['a source without paths', '<xml/>', []],
])('%s is stored as it came', (_, body, texts) => {
  const contentType = body.startsWith('b=') ? form : ''

  expect(redactByPaths({ body: Buffer.from(body), contentType }, paths(texts))).toBeUndefined()
})

function paths(texts: readonly string[]): readonly RedactionPath[] {
  return texts.map((text) => {
    const path = parseRedactionPath(text)
    if ('mistake' in path) throw new Error(path.mistake)
    return path
  })
}
