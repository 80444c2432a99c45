import { Redis } from 'ioredis'
import { createClient } from 'redis'
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
