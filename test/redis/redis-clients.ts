import { Cluster, Redis } from 'ioredis'
import { createClient, createCluster } from 'redis'
import type { RedisClient } from '../../src/redis/index.ts'

export type OpenedClient = { readonly client: RedisClient; readonly close: () => unknown }

/** The libraries that lead to a Redis, each with a short way back to one that was away. */
export const redisClients: Readonly<Record<string, (port: number) => Promise<OpenedClient>>> = {
  ioredis: async (port) => {
    const client = new Redis({ host: '127.0.0.1', port, retryStrategy: () => 10 })
    client.on('error', () => {})
    return { client, close: () => client.disconnect() }
  },
  'node-redis': async (port) => {
    const client = createClient({ url: `redis://127.0.0.1:${port}`, socket: { reconnectStrategy: () => 10 } })
    client.on('error', () => {})
    await client.connect()
    return { client, close: () => client.destroy() }
  },
}

type OldIoredis = { readonly Redis: typeof Redis }
type OldNodeRedis = { readonly createClient: typeof createClient }

/** Earlier versions of the same libraries, installed beside them under names of their own. */
export const earlierClients: typeof redisClients = {
  'ioredis 5': async (port) => {
    const { Redis: Redis5 } = (await load('ioredis-5')) as OldIoredis
    const client = new Redis5(port, '127.0.0.1')
    return { client, close: () => client.disconnect() }
  },
  'node-redis 4': (port) => openNodeRedis('redis-client-4', port),
  'node-redis 5': (port) => openNodeRedis('redis-client-5', port),
}

async function openNodeRedis(name: string, port: number): Promise<OpenedClient> {
  const { createClient: create } = (await load(name)) as OldNodeRedis
  const client = create({ url: `redis://127.0.0.1:${port}` })
  await client.connect()
  return { client, close: () => client.disconnect() }
}

/** By a name that the compiler does not look at: the types of these versions are not the ones that are checked here. */
function load(name: string): Promise<unknown> {
  return import(name)
}

/** The clusters of the same libraries. */
export const redisClusters: typeof redisClients = {
  ioredis: async (port) => {
    const client = new Cluster([{ host: '127.0.0.1', port }])
    return { client, close: () => client.disconnect() }
  },
  'node-redis': async (port) => {
    const client = createCluster({ rootNodes: [{ url: `redis://127.0.0.1:${port}` }] })
    await client.connect()
    return { client, close: () => client.destroy() }
  },
}
