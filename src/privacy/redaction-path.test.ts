import { describe, expect, test } from 'vitest'
import { parseRedactionPath } from './redaction-path.ts'

const name = (text: string, isAnywhere = false) => ({ kind: 'name', name: text, isAnywhere })
const index = (number: number) => ({ kind: 'index', index: number, isAnywhere: false })
const any = (isAnywhere = false) => ({ kind: 'any', isAnywhere })

describe('a path', () => {
  test.each([
    ['$', []],
    ['email', [name('email')]],
    ['$.email', [name('email')]],
    ['$.data.object.billing_details', [name('data'), name('object'), name('billing_details')]],
    ['items[*].email', [name('items'), any(), name('email')]],
    ['items.*.email', [name('items'), any(), name('email')]],
    ['[*].email', [any(), name('email')]],
    ['*', [any()]],
    ['$[0][12]', [index(0), index(12)]],
    ['$..email', [name('email', true)]],
    ['..email', [name('email', true)]],
    ['data..card.number', [name('data'), name('card', true), name('number')]],
    ['$..*', [any(true)]],
    [`$..['card-number']`, [name('card-number', true)]],
    [`['a.b']`, [name('a.b')]],
    [`a['it\\'s "so"']`, [name('a'), name(`it's "so"`)]],
    [`["\\u0065\\n"]`, [name('e\n')]],
    ['x-größe:@id', [name('x-größe:@id')]],
  ])('%s is read', (text, steps) => {
    expect(parseRedactionPath(text)).toEqual({ text, steps })
  })

  test.each([
    ['', 1, 'it ends'],
    ['$.', 3, 'it ends'],
    ['$email', 2, 'no "." or "["'],
    ['a..', 4, 'it ends'],
    ['a.b.', 5, 'it ends'],
    ['a...b', 4, 'there is "."'],
    ['a[0]b', 5, 'no "." or "["'],
    ['a.[0]', 3, 'a "." too many'],
    ['a[', 2, 'there has to be [*], [0]'],
    ['a[-1]', 2, 'there has to be [*], [0]'],
    ['a[b]', 2, 'there has to be [*], [0]'],
    [`a['b]`, 2, 'there has to be [*], [0]'],
    [`["\\x"]`, 1, 'an escape'],
    ['a b', 2, 'no "." or "["'],
    ['a.$', 3, 'there is "$"'],
    ['a**', 2, 'no "." or "["'],
  ])('%j is refused, with the place of the mistake', (text, character, mistake) => {
    expect(parseRedactionPath(text)).toEqual({
      mistake: expect.stringContaining(`${JSON.stringify(text)} is no path: at character ${character} `),
    })
    expect(parseRedactionPath(text)).toEqual({ mistake: expect.stringContaining(mistake) })
  })
})
