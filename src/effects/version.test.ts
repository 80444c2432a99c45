import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeVersion, showVersion, type Version } from './version.ts'

/** As PostgreSQL compares with the collation "C": by bytes of UTF-8. */
function sign(one: Version, other: Version, order?: 'natural'): number {
  return Math.sign(
    Buffer.compare(
      Buffer.from(encodeVersion(one, order)?.text ?? ''),
      Buffer.from(encodeVersion(other, order)?.text ?? ''),
    ),
  )
}

describe('encoded versions', () => {
  test('sort as whole numbers do, also beyond 2^53 and below zero', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
        fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
        (one, other) => {
          expect(sign(one, other)).toBe(one < other ? -1 : one > other ? 1 : 0)
        },
      ),
    )
  })

  test('sort as dates do, also before 1970', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true }), fc.date({ noInvalidDate: true }), (one, other) => {
        expect(sign(one, other)).toBe(Math.sign(one.getTime() - other.getTime()))
      }),
    )
  })

  test('sort texts by code point, or numbers in them by value', () => {
    expect(sign('v9', 'v10')).toBe(1)
    expect(sign('v9', 'v10', 'natural')).toBe(-1)
    expect(sign('2026-01-02T00:00:00Z', '2026-01-10T00:00:00Z')).toBe(-1)
    expect(sign('1.9.0', '1.10.0', 'natural')).toBe(-1)
  })

  test('sort lists by the first part that differs', () => {
    const part = fc.tuple(
      fc.integer(),
      fc.string({ unit: 'binary-ascii' }).map((text) => text.replaceAll('\u0000', '')),
    )
    fc.assert(
      fc.property(part, part, (one, other) => {
        const byNumber = Math.sign(one[0] - other[0])
        const expected =
          byNumber === 0 ? Math.sign(Buffer.compare(Buffer.from(one[1]), Buffer.from(other[1]))) : byNumber
        expect(sign(one, other)).toBe(expected)
      }),
    )
  })

  test('are none for what cannot be compared', () => {
    for (const version of [1.5, Number.NaN, 2 ** 60, new Date('never'), [], 'a\u0000', '\ud800', null, {}]) {
      expect(encodeVersion(version as Version)).toBeUndefined()
    }
  })

  test('have a kind, so that only those of one kind are compared', () => {
    const versions: readonly Version[] = [1, new Date(0), 'a', [1], [1, 'a'], [new Date(0), 1]]

    expect(new Set(versions.map((version) => encodeVersion(version)?.kind)).size).toBe(6)
    expect(encodeVersion('v1', 'natural')?.kind).not.toBe(encodeVersion('v1')?.kind)
    expect(showVersion([new Date(0), 7])).toBe('1970-01-01T00:00:00.000Z, 7')
  })
})
