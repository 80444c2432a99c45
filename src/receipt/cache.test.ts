import { describe, expect, test } from 'vitest'
import { redisCache } from '../redis/index.ts'
import { cacheMistakes } from './cache.ts'

const client = { call: () => Promise.reject(new Error('not asked')) }
const keepDays = new Map<string, number | 'forever'>([
  ['stripe', 60],
  ['discord', 2],
  ['github', 'forever'],
])

describe('the option cache', () => {
  test('may be left out, or be a cache', () => {
    expect(cacheMistakes(undefined, keepDays)).toEqual([])
    expect(cacheMistakes(redisCache(client), keepDays)).toEqual([])
  })

  test('must not be anything else', () => {
    expect(cacheMistakes(client, keepDays)).toEqual([
      expect.stringContaining('give memoryCache() or redisCache(client)'),
    ])
    expect(cacheMistakes('redis', keepDays)).toHaveLength(1)
  })

  test('must not remember for longer than half the time for which any source keeps its receipts', () => {
    const long = redisCache(client, { rememberSeconds: 86_401 })

    expect(cacheMistakes(long, keepDays)).toEqual([
      expect.stringMatching(/discord are kept for 2 days: .* at most 86400\./),
    ])
    expect(cacheMistakes(long, new Map([['github', 'forever' as const]]))).toEqual([])
  })

  test('names every mistake in its own options', () => {
    const make = () => redisCache({} as never, { prefix: '', rememberSeconds: 0, deadlineMilliseconds: 5000 })

    expect(make).toThrow(/client[^]+prefix[^]+rememberSeconds[^]+deadlineMilliseconds/)
  })
})
