import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compositeId, idText, partsOfId, safeId, safeType } from './safe-id.ts'

describe('a safe id', () => {
  test('is the id itself when any text column can hold it', () => {
    for (const id of ['evt_1', 'Größe 🖖', 'x'.repeat(512)]) expect(safeId(id)).toBe(id)
  })

  test.each([
    ['NUL', 'a\u0000'],
    ['a lone surrogate', 'a\ud800'],
    ['513 bytes', 'x'.repeat(513)],
    ['257 umlauts', 'ü'.repeat(257)],
  ])('is a hash for an id with %s', (_name, id) => {
    expect(safeId(id)).toMatch(/^sha256:[0-9a-f]{64}$/)
  })

  test('tells apart what UTF-8 would make equal', () => {
    const ids = ['\ud800', '\udbff', '\udc00', '\ufffd', 'a\u0000', 'a', safeId('\ud800')]

    expect(new Set(ids.map(safeId)).size).toBe(ids.length)
  })

  test('is well formed, bounded and different for different ids', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
        expect(safeId(one).isWellFormed()).toBe(true)
        expect(safeId(one)).not.toContain('\u0000')
        expect(safeId(one) === safeId(other)).toBe(one === other)
      }),
    )
  })
})

describe('a composite id', () => {
  test('is readable when its parts are plain', () => {
    expect(compositeId(['SM1', 'delivered', 3, 12345678901234567890n])).toBe('SM1:delivered:3:12345678901234567890')
  })

  test('is different for different parts', () => {
    expect(compositeId(['a:b', 'c'])).not.toBe(compositeId(['a', 'b:c']))
    expect(compositeId(['a%3Ab'])).not.toBe(compositeId(['a:b']))
  })

  test('does not exist when a part is no id', () => {
    for (const part of [undefined, null, '', {}, 1.5, true]) expect(compositeId(['a', part])).toBeUndefined()
  })

  test('can be taken apart again', () => {
    const parts = ['https://a.example/x', '100%', '%3A', 'plain']

    expect(partsOfId(compositeId(parts) ?? '')).toEqual(parts)
  })
})

describe('an id', () => {
  test('is never made of something else', () => {
    for (const value of [undefined, null, '', {}, [], ['a'], true, 1.5, Number.NaN, 2 ** 53])
      expect(idText(value)).toBeUndefined()
    expect(idText(0)).toBe('0')
  })
})

describe('a safe type', () => {
  test('is bounded, well formed and free of NUL', () => {
    expect(safeType(`${'x'.repeat(254)}🖖`)).toBe(`${'x'.repeat(254)}\ufffd`)
    expect(safeType('a\u0000b')).toBe('a\ufffdb')
  })
})
