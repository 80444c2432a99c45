import { Redis } from 'ioredis'
import { describe, expect } from 'vitest'
import { startRedis, test } from '../targets/test-with-redis.ts'
import { happeningsIn, mistakesIn } from './guard-model.ts'
import { runSchedule, type Schedule } from './guard-simulation.ts'

const scheduleCount = 1000
const atOnce = 250
/** To look at one schedule: ONCEHOOK_SEED=17. */
const onlySeed = process.env['ONCEHOOK_SEED']

describe.skipIf(startRedis === undefined)(`${scheduleCount} random schedules of crashes, pauses and takeovers`, () => {
  test('break no promise of a guard', { timeout: 300_000 }, async ({ redis }) => {
    const client = new Redis(redis.port, '127.0.0.1')
    // Nothing here is about the disk, and waiting for it thousands of times would take long.
    await client.config('SET', 'appendonly', 'no')
    const seeds = onlySeed === undefined ? Array.from({ length: scheduleCount }, (_, seed) => seed) : [Number(onlySeed)]
    const schedules: Schedule[] = []
    while (seeds.length > 0) {
      schedules.push(...(await Promise.all(seeds.splice(0, atOnce).map((seed) => runSchedule(client, seed)))))
    }
    client.disconnect()

    const counts = schedules.map(happeningsIn).reduce<Record<string, number>>((sums, happenings) => {
      for (const [name, happened] of Object.entries(happenings)) sums[name] = (sums[name] ?? 0) + Number(happened)
      return sums
    }, {})
    if (onlySeed !== undefined) console.log(schedules[0]?.steps.join('\n'), schedules[0]?.history)
    expect(schedules.flatMap(mistakesIn)).toEqual([])
    // Whatever can happen did, in many of them; also what no guard can prevent, and what only the fence keeps out.
    expect(Object.entries(counts).filter(([, count]) => onlySeed === undefined && count < 20)).toEqual([])
  })
})
