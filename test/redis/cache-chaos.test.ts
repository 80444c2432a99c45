import type { Redis } from 'ioredis'
import { describe, expect } from 'vitest'
import type { Delivery } from '../../src/index.ts'
import { stripe } from '../../src/providers/stripe.ts'
import type { AppReport } from '../support/app-process.ts'
import { post } from '../support/guarantees.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { until } from '../support/until.ts'
import { startRedis, test } from './test-with-cache.ts'

const eventCount = 400
/** Each event comes twice, and every tenth a third time with other bytes. */
const copies = 2
const mutatedEvery = 10

type Troubles = Readonly<Record<string, (more: () => Promise<void>) => Promise<unknown>>>

/** What happens to Redis while deliveries come. `more` waits until some more of them were answered. */
function troublesOf(redis: ServerProcess, admin: Redis): Troubles {
  return {
    flushed: () => admin.flushall(),
    stopped: async (more) => {
      redis.signal('SIGSTOP')
      await more()
      redis.signal('SIGCONT')
    },
    'killed and restored from its file': async (more) => {
      await redis.kill()
      await more()
      await redis.restart()
    },
    paused: async (more) => {
      await admin.client('PAUSE', 500, 'ALL')
      await more()
    },
    asleep: async (more) => {
      const slept = admin.call('DEBUG', 'SLEEP', '0.5')
      await more()
      await slept
    },
    'killed and emptied': async (more) => {
      await redis.kill()
      await more()
      await redis.restart()
      await admin.flushall()
    },
  }
}

describe.skipIf(startRedis === undefined)('Redis under load, over three processes', () => {
  test('that is flushed, killed, paused and restored changes nothing but the speed', async ({
    guarantees,
    database,
    redis,
    admin,
  }) => {
    const { app, receipts, settled, secret } = guarantees
    const { query, schema } = database
    const modes = ['inline', 'queued', 'queued'] as const
    const apps = await Promise.all(modes.map((mode) => app({ mode, redisPort: redis.port })))
    const ids = Array.from({ length: eventCount }, (_, index) => `evt_${index}`)
    const mutatedIds = ids.filter((_, index) => index % mutatedEvery === 0)
    let answered = 0
    let sent = 0

    /** As a provider does: again, until it is taken. To another process each time. */
    async function deliver(delivery: Delivery): Promise<void> {
      for (;;) {
        sent += 1
        const status = await post(apps[sent % apps.length]?.url ?? '', delivery)
        if (status === 200 || status === 202) break
      }
      answered += 1
    }
    /** Copies of one event overlap with each other and with other events. */
    async function sendEvent(id: string): Promise<void> {
      const source = stripe({ secret })
      const delivery = source.sign({ id, type: 'invoice.paid' }, new Date())
      await deliver(delivery)
      for (let copy = 1; copy < copies; copy += 1) await deliver(delivery)
      if (!mutatedIds.includes(id)) return
      await deliver(source.sign({ id, type: 'invoice.paid', payload: { other: 'bytes' } }, new Date()))
    }
    const total = eventCount * copies + mutatedIds.length
    const more = async (): Promise<void> => {
      const wanted = Math.min(total, answered + 40)
      await until(
        () => answered,
        (count) => count >= wanted,
      )
    }
    async function trouble(): Promise<readonly string[]> {
      const done: string[] = []
      const isOver = (): boolean => answered >= total
      while (!isOver()) {
        for (const [name, happen] of Object.entries(troublesOf(redis, admin))) {
          await more()
          await happen(more)
          done.push(name)
        }
      }
      return done
    }
    const waiting = [...ids]
    const senders = Array.from({ length: 24 }, async () => {
      for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) await sendEvent(id)
    })

    const [troubles] = await Promise.all([trouble(), ...senders])
    await settled()
    await Promise.all(apps.map((started) => started.kill('SIGTERM')))

    const effects = await query<{ id: string }>(`select event_id as id from "${schema}".app_effects`)
    const mutated = await query<{ id: string }>(
      `select event_id as id from "${schema}".deliveries where kind = 'mutated'`,
    )
    expect(new Set(troubles).size).toBe(6)
    expect((await receipts()).map(({ event_id }) => event_id).toSorted()).toEqual(ids.toSorted())
    expect(effects.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
    expect(mutated.map(({ id }) => id).toSorted()).toEqual(mutatedIds.toSorted())
    expect(sent).toBe(total)
    const counts = apps.flatMap(({ reports }) => reports.flatMap(countsOf))
    expect(counts).toHaveLength(apps.length)
    for (const { known, unknown, bypassed } of counts) {
      expect(known).toBeGreaterThan(0)
      expect(unknown).toBeGreaterThan(0)
      expect(bypassed).toBeGreaterThan(0)
    }
  })
})

function countsOf(report: AppReport): readonly Extract<AppReport, { kind: 'cache' }>['counts'][] {
  return report.kind === 'cache' ? [report.counts] : []
}
