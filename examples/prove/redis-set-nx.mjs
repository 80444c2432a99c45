// WRONG. The same claim, in another place: `SET NX` in Redis, then the work in PostgreSQL.
import { Redis } from 'ioredis'
import { pool, serve, work } from './support.mjs'

const redis = new Redis(process.env.REDIS_URL ?? 'redis://127.0.0.1:6379')
const threeDays = 259_200

await serve(async (event) => {
  const isFirst = await redis.set(`prove:${event.id}`, '1', 'EX', threeDays, 'NX')
  if (isFirst === null) return
  await work(pool, event)
})
