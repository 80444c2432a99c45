import { describe, expect, test } from 'vitest'
import { holds } from './compare.ts'
import { filled, filledText, parsePath, valueAt } from './scope.ts'

const scope = {
  body: { data: { items: [{ 'a b': 1 }, { id: 'x"y' }], empty: null }, n: 2 ** 40 },
  headers: { 'x-shop': 'ada' },
  order: { id: 'o/1', total: 12.5 },
}

describe('a path', () => {
  test.each([
    ['$.data.items[0]["a b"]', 1],
    ["$.data.items[0]['a b']", 1],
    ['$.data.items[1].id', 'x"y'],
    ['headers.x-shop', 'ada'],
    ['order.total', 12.5],
    ['$.data.empty', null],
    ['$.data.items.length', 2],
    ['$.data.items[9]', undefined],
    ['$.constructor.name', undefined],
    ['$.__proto__', undefined],
    ['order.id.length', undefined],
  ])('%s leads to %j', (path, value) => {
    expect(valueAt(scope, path)).toEqual(value)
  })

  test.each(['', '$..a', '$.a[', '$.a[-1]', '$[*]', '1a', '$.a b', `$.${'a'.repeat(600)}`])('is not %j', (path) => {
    expect(parsePath(path)).toBeUndefined()
  })
})

describe('a template', () => {
  test('keeps the kind of a value that stands alone, and writes it into texts', () => {
    const template = {
      total: '{{order.total}}',
      text: 'Order {{ order.id }} of {{headers.x-shop}}',
      list: ['{{$.n}}', 1],
    }

    expect(filled(template, scope)).toEqual({ total: 12.5, text: 'Order o/1 of ada', list: [2 ** 40, 1] })
    expect(filled('{{$.nothing}}', scope)).toBeNull()
    expect(filledText('<{{$.nothing}}|{{$.data.items[1]}}>', scope)).toBe('<|{"id":"x\\"y"}>')
  })

  test('fills in nothing twice, and leaves secrets to whoever sends', () => {
    expect(filledText('{{a}}', { a: '{{b}}', b: 'no' })).toBe('{{b}}')
    expect(filledText('Bearer {{secret.KEY}}', { secret: { KEY: 'no' } })).toBe('Bearer {{secret.KEY}}')
  })
})

describe('a comparison', () => {
  test.each([
    [5, 'greater', '4.5', true],
    ['10', 'less', 9, false],
    ['b', 'greater', 'a', true],
    [null, 'less', 1, false],
    [{ a: 1 }, 'equals', { a: 1 }, true],
    ['1', 'equals', 1, true],
    ['1', 'equals', '1.0', false],
    [true, 'equals', 'true', false],
    [undefined, 'not_equals', 1, true],
    [['a', 'b'], 'contains', 'b', true],
    ['invoice.paid', 'starts_with', 'invoice', true],
    ['eur', 'in', ['usd', 'eur'], true],
    [null, 'exists', undefined, false],
    [0, 'missing', undefined, false],
  ] as const)('%j %s %j is %j', (value, operator, than, expected) => {
    expect(holds(value, operator, than)).toBe(expected)
  })
})
