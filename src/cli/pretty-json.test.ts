import { describe, expect, test } from 'vitest'
import { prettyJson } from './pretty-json.ts'

describe('JSON for people', () => {
  test('has a member on each line, and empty ones on one', () => {
    expect(prettyJson('{"a":[1,{"b":"x, y: {"}],"c":{},"d":[]}')).toBe(
      '{\n  "a": [\n    1,\n    {\n      "b": "x, y: {"\n    }\n  ],\n  "c": {},\n  "d": []\n}',
    )
  })

  test('keeps every digit, every member and every escape', () => {
    const text = '{"n":12345678901234567890,"n":1.50,"s":"\\u001b[2J\\""}'

    expect(prettyJson(text)?.replaceAll(/\n */g, '').replaceAll('": ', '":')).toBe(text)
  })

  test('is not made of what is no JSON', () => {
    expect(['', '{"a":', 'a=1', '<x/>'].map(prettyJson)).toEqual([undefined, undefined, undefined, undefined])
  })

  test('stays small however deep it goes', () => {
    const depth = 3000
    const text = '['.repeat(depth) + ']'.repeat(depth)

    expect(prettyJson(text)?.length).toBeLessThan(depth * 100)
  })
})
