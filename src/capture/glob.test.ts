import { describe, expect, test } from 'vitest'
import { fitsGlob } from './glob.ts'

describe('a pattern', () => {
  test.each([
    ['', '', true],
    ['*', '', true],
    ['*', 'anything / at all', true],
    ['a*c', 'abc', true],
    ['a*c', 'ac', true],
    ['a*c', 'acb', false],
    ['*b*', 'abc', true],
    ['evt_*', 'evt_1', true],
    ['evt_*', 'EVT_1', false],
    ['a.c', 'abc', false],
    ['a', 'ab', false],
  ])('of a text: %j fits %j: %s', (pattern, text, fits) => {
    expect(fitsGlob(pattern, text)).toBe(fits)
  })

  test.each([
    ['/orders/*', '/orders/1', true],
    ['/orders/*', '/orders/1/lines', false],
    ['/orders/**', '/orders/1/lines', true],
    ['/*/lines', '/1/lines', true],
    ['/*/lines', '/1/2/lines', false],
    ['/**/lines', '/1/2/lines', true],
    ['**', '', true],
    ['/orders', '/orders/', false],
  ])('of a path: %j fits %j: %s', (pattern, path, fits) => {
    expect(fitsGlob(pattern, path, 'path')).toBe(fits)
  })

  test('that a sender knows has no answer that takes longer than the lengths of both', () => {
    // With backtracking, this one would not end.
    expect(fitsGlob('*a'.repeat(90), `${'a'.repeat(16_000)}b`)).toBe(false)
  })
})
