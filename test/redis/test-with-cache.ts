import { Redis } from 'ioredis'
import { expect } from 'vitest'
import type { InboxOptions } from '../../src/index.ts'
import { type RedisCache, type RedisCacheOptions, redisCache } from '../../src/redis/index.ts'
import type { PgTransaction } from '../../src/store/postgres/postgres-store.ts'
import { test as base, type TestInbox } from '../support/inbox.ts'
import { redisStarter } from '../support/redis-server.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { redisClients } from './redis-clients.ts'

/** Undefined where no Redis can be had. */
export const startRedis: (() => Promise<ServerProcess>) | undefined = await redisStarter()

export type CachedInbox = TestInbox & { readonly cache: RedisCache }

type CachedInboxOptions = Partial<InboxOptions<PgTransaction>> & {
  readonly library?: string
  readonly redisOptions?: RedisCacheOptions
}

type CacheFixtures = {
  readonly redis: ServerProcess
  /** For looking into Redis. Whatever was in it before the test is gone. */
  readonly admin: Redis
  /** An inbox with that Redis in front, whose handler writes one effect for each event. */
  readonly cachedInbox: (options?: CachedInboxOptions) => Promise<CachedInbox>
}

/** A test on PostgreSQL with a real Redis in front. */
export const test = base.extend<CacheFixtures>({
  redis: [
    async ({}, use) => {
      if (startRedis === undefined) throw new Error('No Redis.')
      const server = await startRedis()
      await use(server)
      await server.stop()
    },
    { scope: 'file' },
  ],
  admin: async ({ redis }, use) => {
    const admin = new Redis({ host: '127.0.0.1', port: redis.port, retryStrategy: () => 10 })
    admin.on('error', () => {})
    await admin.flushall()
    await use(admin)
    admin.disconnect()
  },
  cachedInbox: async ({ redis, admin: _emptied, makeInbox, database, guarantees }, use) => {
    const closes: (() => unknown)[] = []
    expect(await guarantees.effects()).toBe(0)
    await use(async ({ library = 'ioredis', redisOptions = {}, ...options } = {}) => {
      const opened = await redisClients[library]?.(redis.port)
      if (opened === undefined) throw new Error(`There is no client ${library}.`)
      closes.push(opened.close)
      // A loaded machine must not decide what is asked of whom.
      const cache = redisCache(opened.client, { deadlineMilliseconds: 1000, ...redisOptions })
      const inbox = makeInbox({ cache, ...options })
      inbox.on('stripe', '*', async (event, { tx }) => {
        if (event.type === 'fails') throw new Error('not today')
        await tx.query(`insert into "${database.schema}".app_effects (event_id) values ($1)`, [event.id])
      })
      return { ...inbox, cache }
    })
    for (const close of closes) close()
  },
})
