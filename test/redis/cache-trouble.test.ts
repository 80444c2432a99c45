import { describe, expect } from 'vitest'
import type { Delivery, InboxEvent } from '../../src/index.ts'
import { post } from '../support/guarantees.ts'
import { stripeDelivery } from '../support/inbox.ts'
import { until } from '../support/until.ts'
import { redisClients } from './redis-clients.ts'
import { startRedis, test } from './test-with-cache.ts'

describe.skipIf(startRedis === undefined).for(Object.keys(redisClients))('Redis through %s', (library) => {
  test('that hangs, dies and comes back is left out meanwhile, and each episode is told once', async ({
    cachedInbox,
    redis,
    guarantees,
  }) => {
    const inbox = await cachedInbox({ library, mode: 'inline', redisOptions: { deadlineMilliseconds: 20 } })
    const copy = stripeDelivery('evt_1')
    const send = () => inbox.receive('stripe', copy)
    const knownMore = async (): Promise<void> => {
      const { known } = inbox.cache.counts()
      await until(send, () => inbox.cache.counts().known > known)
    }
    await knownMore()

    redis.signal('SIGSTOP')
    const whileStopped = await untilLeftOut(inbox.told, 1, send)
    redis.signal('SIGCONT')
    await knownMore()
    await redis.kill()
    const whileDead = await untilLeftOut(inbox.told, 2, send)
    const fresh = await inbox.receive('stripe', stripeDelivery('evt_2'))
    await redis.restart()
    await knownMore()

    expect([whileStopped, whileDead].map(({ kind }) => kind)).toEqual(['duplicate', 'duplicate'])
    expect(fresh.kind).toBe('processed')
    const told = inbox.told.flatMap((event) => (event.kind === 'notice' ? [`${event.level}: ${event.message}`] : []))
    const ofLookups = told.filter((text) => !text.includes('new receipts')).map((text) => text.split(',')[0])
    expect(ofLookups).toEqual([
      'warning: Redis does not answer in time',
      'info: Redis answers again',
      'warning: Redis does not answer in time',
      'info: Redis answers again',
    ])
    expect(await guarantees.effects()).toBe(2)
  })

  test('that is full still answers, and says once that it takes nothing', async ({
    cachedInbox,
    admin,
    guarantees,
  }) => {
    const inbox = await cachedInbox({ library, mode: 'inline' })
    await inbox.receive('stripe', stripeDelivery('evt_first'))
    await admin.config('SET', 'maxmemory', '1')

    for (let index = 0; index < 6; index += 1) await inbox.receive('stripe', stripeDelivery(`evt_${index}`))
    await until(
      () => inbox.cache.counts(),
      ({ notRemembered }) => notRemembered === 6,
    )
    await admin.config('SET', 'maxmemory', '0')

    const warnings = inbox.told.filter((event) => event.kind === 'notice' && event.level === 'warning')
    expect(warnings).toMatchObject([{ error: expect.stringContaining('OOM') }])
    expect(inbox.cache.counts()).toMatchObject({ bypassed: 0, unknown: 7 })
    expect(await guarantees.effects()).toBe(7)
  })
})

describe.skipIf(startRedis === undefined)('a process that dies before it has committed', () => {
  test('leaves nothing in Redis, so that the next copy is the first', async ({ guarantees, redis, admin }) => {
    const { app, signed, effects, settled, receipts } = guarantees
    const { port: redisPort } = redis
    const [inline, queued, other] = await Promise.all([
      app({ redisPort, mode: 'inline', killAt: 'before_commit', roles: ['receiver'] }),
      app({ redisPort, mode: 'queued', killAt: 'before_record', roles: ['receiver'] }),
      app({ redisPort, mode: 'inline' }),
    ])
    const deliveries = [signed('evt_inline'), signed('evt_queued')]

    const unanswered = await Promise.all([inline, queued].map(({ url }, index) => post(url, deliveryAt(index))))
    const keys = await admin.dbsize()
    const redelivered = await Promise.all(deliveries.map((delivery) => post(other.url, delivery)))
    await settled()

    expect(unanswered).toEqual([undefined, undefined])
    expect(keys).toBe(0)
    expect(redelivered).toEqual([200, 200])
    expect(await receipts()).toHaveLength(2)
    expect([await effects('evt_inline'), await effects('evt_queued')]).toEqual([1, 1])

    function deliveryAt(index: number): Delivery {
      return deliveries[index] ?? signed('evt_none')
    }
  })
})

/** Sends until a notice says for the n-th time that Redis is left out; answers with what came of the last delivery. */
async function untilLeftOut<Outcome>(
  told: readonly InboxEvent[],
  times: number,
  send: () => Promise<Outcome>,
): Promise<Outcome> {
  const isLeftOut = (): boolean =>
    told.filter((event) => event.kind === 'notice' && event.message.includes('is left out')).length >= times
  await until(send, isLeftOut)
  return send()
}
