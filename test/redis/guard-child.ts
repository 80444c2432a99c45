// A process that runs work under a guard: tests kill it, or freeze it, while it is at it.
import { Redis } from 'ioredis'
import { createGuard } from '../../src/redis/index.ts'

const redis = new Redis(Number(process.env['REDIS_PORT']), '127.0.0.1')
const guard = createGuard({ redis, leaseSeconds: 1 })

const outcome = await guard.run('work', async ({ fence }) => {
  process.send?.({ kind: 'at_work', fence })
  await new Promise((resolve) => process.once('message', resolve))
  // As to another service: what arrives there has happened, whatever Redis says of the claim.
  await redis.rpush('outside', fence)
  return fence
})
process.send?.({ kind: 'outcome', outcome })
redis.disconnect()
process.disconnect()
