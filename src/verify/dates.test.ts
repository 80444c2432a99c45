import { describe, expect, test } from 'vitest'
import { fromUnixMilliseconds, fromUtcText } from './dates.ts'

const noon = new Date('2026-11-15T12:00:00.000Z')

describe('a moment', () => {
  test.each([1794744000000, '1794744000000'])('can be %j milliseconds', (value) => {
    expect(fromUnixMilliseconds(value)).toEqual(noon)
  })

  test.each([undefined, null, '', '1e12', 'noon', '-1', Number.NaN, 1e300])('is not %j milliseconds', (value) => {
    expect(fromUnixMilliseconds(value)).toBeUndefined()
  })

  test.each([
    '2026-11-15T12:00:00',
    '2026-11-15T12:00:00.000',
    '2026-11-15T12:00:00Z',
    '2026-11-15T13:00:00+01:00',
    '2026-11-15T11:00:00-0100',
  ])('is in UTC, unless it says otherwise: %s', (value) => {
    expect(fromUtcText(value)).toEqual(noon)
  })

  test.each([undefined, 1794744000, '', 'yesterday'])('is none for %j', (value) => {
    expect(fromUtcText(value)).toBeUndefined()
  })
})
