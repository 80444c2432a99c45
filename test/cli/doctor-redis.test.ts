import { createClient } from 'redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Examined, RedisUse } from '../../src/cli/doctor/check.ts'
import { redisCheck } from '../../src/cli/doctor/checks/redis.ts'
import { readRedisFacts } from '../../src/cli/doctor/redis-facts.ts'
import { redisStarter } from '../support/redis-server.ts'

const start = await redisStarter()

describe.skipIf(start === undefined)('the doctor at a Redis', () => {
  let port: number
  let stop: () => Promise<void>
  const configure = async (...settings: readonly (readonly [string, string])[]): Promise<void> => {
    const client = createClient({ url: `redis://127.0.0.1:${port}` })
    await client.connect()
    for (const [name, value] of settings) await client.sendCommand(['CONFIG', 'SET', name, value])
    client.destroy()
  }
  const found = async (use: RedisUse, address = `redis://127.0.0.1:${port}`): Promise<readonly string[]> => {
    const redis = { use, facts: await readRedisFacts(address) }
    return redisCheck.run({ redis } as Examined).map(({ severity, fact }) => `${severity}: ${fact}`)
  }

  beforeAll(async () => {
    const server = await start?.()
    if (server === undefined) throw new Error('There is no Redis.')
    port = server.port
    stop = server.stop
  })

  afterAll(() => stop())

  test('finds nothing where everything is kept', async () => {
    expect(await found('messages')).toEqual([])
    expect(await found('cache')).toEqual([])
  })

  test('finds what loses messages, and leaves a cache alone', async () => {
    await configure(['maxmemory', '100mb'], ['maxmemory-policy', 'allkeys-lru'], ['appendfsync', 'everysec'])

    expect(await found('messages')).toEqual([
      expect.stringMatching(/^error: Redis throws keys away when it is full \(maxmemory-policy allkeys-lru\)/),
      expect.stringMatching(/^warning: Redis syncs its file once a second/),
    ])
    await configure(['appendonly', 'no'])
    expect(await found('messages')).toEqual([
      expect.anything(),
      expect.stringMatching(/^error: Redis keeps no append-only file/),
    ])
    expect(await found('cache')).toEqual([])
  })

  test('finds one that is full', async () => {
    await configure(['maxmemory-policy', 'noeviction'], ['maxmemory', '1000'])

    expect(await found('cache')).toEqual([expect.stringMatching(/^warning: Redis is full .* and takes nothing new\.$/)])
    await configure(['maxmemory', '0'])
  })

  test('says why it could not ask, and never the password', async () => {
    await configure(['requirepass', 'the right one'])

    expect(await found('cache')).toEqual(['error: Redis could not be asked: it answered NOAUTH.'])
    expect(await found('cache', `redis://:hush@127.0.0.1:${port}`)).toEqual([
      'error: Redis could not be asked: it answered WRONGPASS.',
    ])
    expect(await found('cache', `redis://:${encodeURIComponent('the right one')}@127.0.0.1:${port}`)).toEqual([])
    expect(await found('cache', 'redis://:hush@127.0.0.1:1')).toEqual([
      'error: Redis could not be asked: ECONNREFUSED.',
    ])
  })
})
