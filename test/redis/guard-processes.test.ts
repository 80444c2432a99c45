import { once } from 'node:events'
import { Redis } from 'ioredis'
import { describe, expect } from 'vitest'
import { createGuard } from '../../src/redis/index.ts'
import { forkProgram } from '../support/compiled.ts'
import { startRedis, test } from '../targets/test-with-redis.ts'

/** A process that is at work on the key, and goes on when it is sent a message. */
async function startWorker(port: number) {
  const child = await forkProgram('test/redis/guard-child.ts', { REDIS_PORT: String(port) })
  const [{ fence }] = (await once(child, 'message')) as [{ readonly fence: number }]
  return { child, fence }
}

describe.skipIf(startRedis === undefined)('a process that is at work', () => {
  test('is taken over from when it is killed, once its deadline has passed', async ({ mortalRedis }) => {
    const redis = new Redis(mortalRedis.port, '127.0.0.1')
    const guard = createGuard({ redis, leaseSeconds: 1 })
    const { child, fence } = await startWorker(mortalRedis.port)

    child.kill('SIGKILL')
    const takenOver = await guard.run('work', () => 'mine')
    redis.disconnect()

    expect(takenOver).toMatchObject({ kind: 'ran', result: 'mine', attempt: 2 })
    expect((takenOver as { readonly fence: number }).fence).toBeGreaterThan(fence)
  })

  test('and is frozen in the middle of it does not record it, but what it does outside happens twice: only the fence tells', async ({
    mortalRedis,
  }) => {
    const redis = new Redis(mortalRedis.port, '127.0.0.1')
    const guard = createGuard({ redis, leaseSeconds: 1 })
    const { child, fence: oldFence } = await startWorker(mortalRedis.port)

    child.kill('SIGSTOP')
    const takenOver = await guard.run('work', async ({ fence }) => {
      await redis.rpush('outside', fence)
      return fence
    })
    child.send('go on')
    child.kill('SIGCONT')
    const [{ outcome }] = (await once(child, 'message')) as [{ readonly outcome: unknown }]
    const outside = (await redis.lrange('outside', 0, -1)).map(Number)
    const state = await guard.look('work')
    redis.disconnect()

    const { fence: newFence } = takenOver as { readonly fence: number }
    expect(outcome).toEqual({ kind: 'lost', fence: oldFence })
    expect(state).toMatchObject({ kind: 'done', result: newFence })
    expect(outside).toEqual([newFence, oldFence])
    // A receiver that refuses a lower fence than it has seen keeps the first and refuses the second.
    expect(outside.filter((fence, index) => fence >= Math.max(...outside.slice(0, index + 1)))).toEqual([newFence])
  })
})
