import { once } from 'node:events'
import { describe, expect } from 'vitest'
import { stripe } from '../../src/providers/stripe.ts'
import { forkProgram } from '../support/compiled.ts'
import { test } from '../support/guarantees.ts'
import { atScale } from '../support/scale.ts'
import { until } from '../support/until.ts'
import { createOutageApp, type OutageApp, outageSecret } from './backfill-app.ts'
import { type FakeStripeEvent, startFakeStripe } from './fake-stripe.ts'

const from = new Date('2026-11-01T00:00:00Z')
const to = new Date('2026-11-04T00:00:00Z')
const count = atScale(50_000)

/** Spread over three days, every second one of a type that nobody handles left out. */
function threeDays(): readonly FakeStripeEvent[] {
  const seconds = (to.getTime() - from.getTime()) / 1000
  return Array.from({ length: count }, (_, number) => ({
    id: `evt_${number}`,
    type: number % 2 === 0 ? 'invoice.paid' : 'invoice.created',
    created: from.getTime() / 1000 + Math.floor((number * seconds) / count),
  }))
}

describe('after an outage of three days', () => {
  test('50,000 events (a tenth in the gate) take effect once each, of which some were there and one process was killed in between', async ({
    database,
    guarantees,
  }) => {
    const { schema, query, pool } = database
    const api = await startFakeStripe(threeDays())
    const app: OutageApp = { databaseUrl: database.url, schema, apiUrl: api.url }
    const inbox = createOutageApp({ ...app, databaseUrl: pool })
    await inbox.migrate()
    const present = Array.from({ length: count / 50 }, (_, number) => `evt_${number * 50}`)
    const source = stripe({ secret: outageSecret })
    await Promise.all(
      present.map((id) => inbox.receive('stripe', source.sign({ id, type: 'invoice.paid' }, new Date()))),
    )

    await killBackfill({ ...app, range: { from, to } }, count / 4)
    const [cut] = await query<{ cursor: string; count: number }>(
      `select cursor, (select count(*)::int from "${schema}".receipts) as count from "${schema}".recoveries`,
    )
    await query(`update "${schema}".recoveries set held_until = now()`)
    await guarantees.expireLeases()
    await inbox.start()
    const report = await inbox.backfill({ source: 'stripe', continue: true })
    const { count: effects, events } = await until(
      async () => {
        const [row] = await query<{ count: number; events: number; left: number }>(
          `select count(*)::int, count(distinct event_id)::int as events, (select count(*)::int from "${schema}".queue) as left
          from "${schema}".app_effects`,
        )
        return row ?? { count: 0, events: 0, left: 1 }
      },
      ({ left }) => left === 0,
      300,
    )
    await inbox.stop()
    await api.close()

    expect(cut?.cursor).toMatch(/^\{"at":\d+/)
    expect(cut?.count).toBeLessThan(count)
    expect(report).toMatchObject({ runId: '1', isFinished: true, recorded: count - present.length, failed: 0 })
    expect({ effects, events }).toEqual({ effects: count, events: count })
    expect(
      await query(
        `select origin, status, count(*)::int from "${schema}".receipts group by 1, 2 order by origin nulls first`,
      ),
    ).toEqual([
      { origin: null, status: 'processed', count: present.length },
      { origin: 'backfill', status: 'processed', count: count - present.length },
    ])
  }, 600_000)
})

/** Starts a back-fill in another process and kills it once so many events are recorded. */
async function killBackfill(options: object, afterEvents: number): Promise<void> {
  const child = await forkProgram('test/recovery/backfill-child.ts', { BACKFILL_OPTIONS: JSON.stringify(options) })
  const ended = once(child, 'exit')
  child.on('message', (recorded: number) => {
    if (recorded >= afterEvents) child.kill('SIGKILL')
  })
  const [, signal] = (await ended) as [number | null, NodeJS.Signals | null]
  if (signal !== 'SIGKILL') throw new Error('The back-fill ended before it could be killed.')
}
