import { describe, expect, test } from 'vitest'
import { isOncehookError } from '../errors.ts'
import { createDatastore } from './datastore.ts'

/** Any use of the database is a mistake: what is wrong must not get that far. */
const never = new Proxy({}, { get: () => () => Promise.reject(new Error('The database was asked.')) }) as never

const datastore = createDatastore({ environment: 'test', verbs: never, atomically: never })

function nested(levels: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < levels; level += 1) value = [value]
  return value
}

const circular: Record<string, unknown> = {}
circular['self'] = circular

const refused: readonly (readonly [string, () => Promise<unknown>, RegExp])[] = [
  ['an empty namespace', () => datastore.get('', 'k'), /namespace/],
  ['a namespace with a slash', () => datastore.get('a/b', 'k'), /namespace/],
  ['an enormous namespace', () => datastore.get('a'.repeat(101), 'k'), /namespace/],
  ['an empty key', () => datastore.get('n', ''), /key/],
  ['\\u0000 in a key', () => datastore.set('n', 'a\u0000b', 1), /key/],
  ['a lone surrogate in a key', () => datastore.set('n', '\ud800', 1), /key/],
  ['an enormous key', () => datastore.set('n', 'é'.repeat(257), 1), /1 to 512 bytes/],
  ['a key that is no text', () => datastore.set('n', 7 as never, 1), /key/],
  ['a value above 64 KB', () => datastore.set('n', 'k', 'x'.repeat(65_535)), /65537 bytes as JSON, and may have 65536/],
  ['a value nested too deep', () => datastore.set('n', 'k', nested(101)), /deeper than 100/],
  ['a value so deep that JSON gives up', () => datastore.set('n', 'k', nested(200_000)), /deeper than 100/],
  ['a circle', () => datastore.set('n', 'k', circular), /cannot be written as JSON/],
  ['undefined', () => datastore.setIfAbsent('n', 'k', undefined), /cannot be written as JSON/],
  ['a bigint', () => datastore.set('n', 'k', { count: 1n }), /cannot be written as JSON/],
  ['NaN', () => datastore.set('n', 'k', { count: Number.NaN }), /JSON has no NaN/],
  ['no time to live at all', () => datastore.set('n', 'k', 1, { ttlSeconds: 0 }), /ttlSeconds/],
  ['a time to live beyond all times', () => datastore.set('n', 'k', 1, { ttlSeconds: 1e12 }), /ttlSeconds/],
  [
    'a version that is none',
    () => datastore.compareAndSet('n', 'k', { expected: { version: 1.5 }, value: 1 }),
    /version/,
  ],
  ['an infinite increment', () => datastore.increment('n', 'k', { by: Number.POSITIVE_INFINITY }), /numbers/],
  ['\\u0000 in a prefix', () => datastore.list('n', { prefix: '\u0000' }), /prefix/],
  ['a page that is too large', () => datastore.list('n', { limit: 201 }), /limit/],
]

describe('the datastore', () => {
  test.each(refused)('refuses %s before the database is asked', async (_, call, message) => {
    const error: unknown = await call().catch((thrown: unknown) => thrown)

    expect(isOncehookError(error, 'ONCEHOOK_INVALID_VALUE')).toBe(true)
    expect((error as Error).message).toMatch(message)
    expect((error as Error).message.length).toBeLessThan(300)
  })
})
