import { createSecretKey, randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { open, seal } from './seal.ts'

const key = createSecretKey(randomBytes(32))
const context = ['body', 'key-1', 'one']

test('what is sealed can be opened', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.array(fc.string()), (plain, place) => {
      expect(open(key, seal(key, plain, place), place)).toEqual(Buffer.from(plain))
    }),
  )
})

test('what was changed anywhere, cut or made longer cannot be opened', () => {
  const sealed = seal(key, Buffer.from('a body'), context)
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const changed = Buffer.from(sealed)
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    expect(open(key, changed, context)).toBeUndefined()
  }
  for (let length = 0; length < sealed.length; length += 1) {
    expect(open(key, sealed.subarray(0, length), context)).toBeUndefined()
  }
  expect(open(key, Buffer.concat([sealed, Buffer.of(0)]), context)).toBeUndefined()
})

test.each([
  [[]],
  [['body', 'key-1']],
  [['body', 'key-1', 'two']],
  [['body', 'key-1', 'one', '']],
  [['bodykey-1', 'one']],
])('what is sealed for one place cannot be opened for another: %j', (other) => {
  expect(open(key, seal(key, Buffer.from('a body'), context), other)).toBeUndefined()
})

test('another key opens nothing', () => {
  expect(open(createSecretKey(randomBytes(32)), seal(key, Buffer.from('a body'), context), context)).toBeUndefined()
})

test('the same body looks different every time', () => {
  const sealed = Array.from({ length: 100 }, () => seal(key, Buffer.from('a body'), context))

  expect(new Set(sealed.map((bytes) => bytes.toString('hex', 1, 13))).size).toBe(100)
})
