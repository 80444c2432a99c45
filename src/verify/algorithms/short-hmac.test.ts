import { createHmac, createSecretKey } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { hmac } from './hmac.ts'
import { type HmacHash, shortHmac } from './short-hmac.ts'

const hashes: readonly HmacHash[] = ['sha1', 'sha256', 'sha384', 'sha512']

test.for(hashes)('HMAC-%s is what Node makes of the same key and pieces', (name) => {
  const piece = fc.oneof(fc.string({ unit: 'binary', maxLength: 80 }), fc.uint8Array({ maxLength: 400 }))

  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 200 }),
      fc.array(piece, { maxLength: 4 }),
      (secret, content) => {
        const key = createSecretKey(secret)
        const expected = createHmac(name, key)
        for (const one of content) expected.update(one)

        expect(shortHmac(name, key, content)).toEqual(expected.digest())
      },
    ),
  )
})

test.for(hashes)('keys of HMAC-%s that are as long as a block, and one byte more, are right', (name) => {
  for (const length of [63, 64, 65, 127, 128, 129]) {
    const key = createSecretKey(Buffer.alloc(length, 7))

    expect(shortHmac(name, key, ['body'])).toEqual(createHmac(name, key).update('body').digest())
  }
})

test('what an earlier, longer message left behind is not signed', () => {
  const key = createSecretKey(Buffer.from('a secret of some length'))
  shortHmac('sha256', key, ['x'.repeat(1000)])

  expect(shortHmac('sha256', key, ['short'])).toEqual(createHmac('sha256', key).update('short').digest())
})

test.for([32_000, 32_768, 33_000, 1_000_000])('a body of %d bytes is signed as Node signs it', (bytes) => {
  const key = createSecretKey(Buffer.from('a secret of some length'))
  const content = ['1790000000.', Buffer.alloc(bytes, 0xc3)]

  const made = hmac('sha256').make(key, content)

  const expected = createHmac('sha256', key)
  for (const piece of content) expected.update(piece)
  expect(Buffer.from(made)).toEqual(expected.digest())
})

test('each digest has bytes of its own', () => {
  const key = createSecretKey(Buffer.from('a secret of some length'))

  const first = shortHmac('sha256', key, ['first'])
  const copy = Buffer.from(first ?? '')
  shortHmac('sha256', key, ['second'])

  expect(first).toEqual(copy)
})
