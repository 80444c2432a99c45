import { expect, test } from 'vitest'
import { differing, itemsOf, valueText } from './comparison.ts'

test('values that are unlike the first are marked', () => {
  expect(differing(['a', 'a', 'b', undefined])).toEqual([false, false, true, true])
  expect(differing([{ a: 1 }, { a: 1 }])).toEqual([false, false])
})

test('a value is one line', () => {
  expect(['text', 3, [1], null, undefined].map(valueText)).toEqual(['text', '3', '[1]', undefined, undefined])
})

test('an address names up to five things, each once', () => {
  expect(itemsOf('receipt:1,capture:2,receipt:1,other:3,receipt:')).toEqual([
    { kind: 'receipt', id: '1' },
    { kind: 'capture', id: '2' },
  ])
  expect(itemsOf('receipt:1,receipt:2,receipt:3,receipt:4,receipt:5,receipt:6')).toHaveLength(5)
  expect(itemsOf(undefined)).toEqual([])
})
