import { createHash, randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { describe, expect, test } from 'vitest'
import { checkRedis, createGuard, redisCache } from '../../src/redis/index.ts'
import { redisStarter } from '../support/redis-server.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { until } from '../support/until.ts'
import { earlierClients, type OpenedClient, redisClients, redisClusters } from './redis-clients.ts'

const startRedis = await redisStarter()

/** What both parts of this package need of a client: commands about many keys, and scripts. */
async function useAll({ client }: OpenedClient): Promise<void> {
  const cache = redisCache(client, { deadlineMilliseconds: 1000 })
  const keys = Array.from({ length: 20 }, () => ({
    ledger: 'one',
    environment: 'test',
    source: 'stripe',
    eventId: randomUUID(),
  }))
  const receiptOf = (eventId: string) => ({ receiptId: '7', bodyHash: createHash('sha256').update(eventId).digest() })
  for (const key of keys.slice(1)) cache.remember(key, receiptOf(key.eventId))
  await until(
    () => cache.counts(),
    ({ remembered }) => remembered === 19,
  )
  const recalled = await Promise.all(keys.map(async (key) => cache.recall(key)))
  expect(recalled).toEqual([undefined, ...keys.slice(1).map(({ eventId }) => receiptOf(eventId))])

  const guard = createGuard({ redis: client })
  const key = randomUUID()
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => guard.run(key, () => ({ fee: 3 }))))
  expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['known', 'known', 'known', 'known', 'ran'])
  expect((await guard.check()).facts).toMatchObject({ role: 'master', maxmemory_policy: 'noeviction' })
}

async function onServer(settings: readonly string[], use: (server: ServerProcess) => Promise<void>): Promise<void> {
  const server = await startRedis?.(settings)
  if (server === undefined) throw new Error('No Redis.')
  try {
    await use(server)
  } finally {
    await server.stop()
  }
}

describe.skipIf(startRedis === undefined)('clients of other versions', () => {
  test('work as the newest ones do', async () => {
    await onServer([], async ({ port }) => {
      for (const open of Object.values({ ...redisClients, ...earlierClients })) {
        const opened = await open(port)
        await useAll(opened)
        opened.close()
      }
    })
  })
})

describe.skipIf(startRedis === undefined)('a cluster', () => {
  test('is used without a command that spans slots', async () => {
    const settings = ['--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1']
    await onServer(settings, async ({ port }) => {
      const admin = new Redis(port, '127.0.0.1')
      await admin.cluster('ADDSLOTSRANGE', 0, 16_383)
      await until(
        () => admin.cluster('INFO'),
        (info) => info.includes('cluster_state:ok'),
      )
      await expect(admin.mget('one', 'two')).rejects.toThrow('CROSSSLOT')

      for (const open of Object.values(redisClusters)) {
        const opened = await open(port)
        await useAll(opened)
        opened.close()
      }
      admin.disconnect()
    })
  })
})

describe.skipIf(startRedis === undefined)('a check of Redis', () => {
  test('warns of what weakens its use, and of nothing else', async () => {
    await onServer([], async ({ port }) => {
      const client = new Redis(port, '127.0.0.1')
      const set = (settings: Readonly<Record<string, string>>) =>
        Promise.all(Object.entries(settings).map(([name, value]) => client.config('SET', name, value)))

      const strict = [await checkRedis(client, 'guard'), await checkRedis(client, 'cache')]
      await set({ appendfsync: 'everysec', maxmemory: '100mb' })
      const full = [await checkRedis(client, 'guard'), await checkRedis(client, 'cache')]
      await set({ appendonly: 'no', 'maxmemory-policy': 'allkeys-lru' })
      const lax = [await checkRedis(client, 'guard'), await checkRedis(client, 'cache')]
      client.disconnect()

      expect(strict.map(({ warnings }) => warnings)).toEqual([[], []])
      expect(full[0]?.warnings).toEqual([expect.stringContaining('appendfsync is everysec')])
      expect(full[1]?.warnings).toEqual([expect.stringContaining('noeviction')])
      expect(lax[0]?.warnings).toEqual([
        expect.stringContaining('allkeys-lru'),
        expect.stringContaining('appendonly is no'),
      ])
      expect(lax[1]?.warnings).toEqual([])
      expect(lax[0]?.facts).toMatchObject({ aof_enabled: '0', maxmemory: '104857600', appendfsync: 'everysec' })
    })
  })
})
