import { expect, test } from 'vitest'
import { isAlike } from './alike.ts'

test('errors that differ in numbers alone are alike', () => {
  expect(isAlike('no invoice in_17', 'no invoice in_2')).toBe(true)
  expect(isAlike('no invoice', 'no customer')).toBe(false)
})
