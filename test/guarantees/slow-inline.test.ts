import { describe, expect } from 'vitest'
import { stripeDelivery, test } from '../support/inbox.ts'

describe('one inline handler that runs for 3 s while 30 copies of its event arrive on a pool of 10', () => {
  test('unrelated events keep a p50 under 100 ms, and each copy ends as a duplicate', async ({
    database,
    makeInbox,
    guarantees,
  }) => {
    const { schema } = database
    let markStarted = (): void => {}
    const started = new Promise<void>((resolve) => (markStarted = resolve))
    const inbox = makeInbox({ mode: 'inline', poolSize: 10 }).on('stripe', '*', async (event, { tx }) => {
      await tx.query(`insert into "${schema}".app_effects (event_id) values ($1)`, [event.id])
      if (event.type !== 'slow') return
      markStarted()
      await tx.query('select pg_sleep(3)')
    })
    await inbox.migrate()

    const first = inbox.receive('stripe', stripeDelivery('evt_slow', 'slow'))
    await started
    const copies = Array.from({ length: 30 }, () => inbox.receive('stripe', stripeDelivery('evt_slow', 'slow')))
    const latencies: number[] = []
    const running = new Set([first])
    void first.then(() => running.delete(first))
    for (let number = 0; running.size > 0; number += 1) {
      const begun = performance.now()
      const outcome = await inbox.receive('stripe', stripeDelivery(`evt_other_${number}`))
      latencies.push(performance.now() - begun)
      expect(outcome.kind).toBe('processed')
    }

    expect((await first).kind).toBe('processed')
    expect((await Promise.all(copies)).map(({ kind }) => kind)).toEqual(Array.from({ length: 30 }, () => 'duplicate'))
    const median = latencies.toSorted((one, other) => one - other)[Math.floor(latencies.length / 2)] ?? 0
    expect(latencies.length).toBeGreaterThan(20)
    expect(median).toBeLessThan(100)
    expect(await guarantees.effects('evt_slow')).toBe(1)
    expect(await guarantees.effects()).toBe(latencies.length + 1)
  })
})
