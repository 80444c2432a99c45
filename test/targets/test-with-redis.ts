import { test as base } from 'vitest'
import { redisStarter } from '../support/redis-server.ts'
import type { ServerProcess } from '../support/server-process.ts'

/** Undefined where no Redis can be had. */
export const startRedis: (() => Promise<ServerProcess>) | undefined = await redisStarter()

type RedisFixtures = {
  /** A Redis for this file. */
  readonly redis: ServerProcess
  /** A Redis for this test alone, to be taken down. */
  readonly mortalRedis: ServerProcess
}

async function start(): Promise<ServerProcess> {
  if (startRedis === undefined) throw new Error('No Redis.')
  return startRedis()
}

/** A test against a real Redis. */
export const test = base.extend<RedisFixtures>({
  redis: [
    async ({}, use) => {
      const server = await start()
      await use(server)
      await server.stop()
    },
    { scope: 'file' },
  ],
  mortalRedis: async ({}, use) => {
    const server = await start()
    await use(server)
    await server.stop()
  },
})
