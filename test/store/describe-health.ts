import { describe, expect } from 'vitest'
import {
  claimOne,
  claimRequest,
  handlerRun,
  type MakeStore,
  newReceipt,
  type StoreUnderTest,
} from './store-under-test.ts'
import { testWithStore } from './test-with-store.ts'

/** health. */
export function describeHealth<Tx>(makeStore: MakeStore<Tx>): void {
  const test = testWithStore(makeStore)

  describe('how things stand', () => {
    test('is nothing but zeros on empty tables', async ({ subject }) => {
      const report = await subject.store.health('test')

      expect(report).toMatchObject({
        environment: 'test',
        sources: [],
        targets: [],
        ledger: { rows: 0, addedLastDay: 0, isEstimate: false },
      })
      expect(report.windowSeconds).toBeCloseTo(3600, 0)
    })

    test('counts first attempts by how they ended, also inline ones that left no receipt', async ({ subject }) => {
      const { store } = subject
      const succeeded = await claimOne(subject, newReceipt({ eventId: 'succeeded' }))
      await store.transaction(({ completeReceipt }) => completeReceipt(succeeded.lease, handlerRun()))
      const retried = await claimOne(subject, newReceipt({ eventId: 'retried' }))
      const run = handlerRun({ outcome: 'failed', error: 'boom' })
      await store.retryLater(retried.lease, { seconds: 0, kind: 'retrying', error: 'boom', runs: [run] })
      const [again] = await store.claim(claimRequest())
      if (again === undefined) throw new Error('It was not claimed again.')
      await store.transaction(({ completeReceipt }) => completeReceipt(again.lease, handlerRun({ attempt: 2 })))
      const deferred = await claimOne(subject, newReceipt({ eventId: 'deferred' }))
      const later = { seconds: 60, kind: 'deferred', error: 'not yet' } as const
      await store.retryLater(deferred.lease, { ...later, runs: [handlerRun({ outcome: 'deferred' })] })
      const key = { environment: 'test', source: 'stripe', eventId: 'rolled back' }
      await store.noteRun(key, run)
      await store.noteRun(key, run)
      await store.noteRun({ ...key, environment: 'live' }, run)

      const { sources } = await store.health('test')

      expect(sources).toMatchObject([{ source: 'stripe', firstAttempts: 3, firstAttemptsFailed: 2, received: 3 }])
    })

    test('counts duplicates against those of the week before', async ({ subject }) => {
      const { store } = subject
      await plantReceipts(subject, { source: 'stripe', count: 50, from: '30 days', to: '8 days', deliveries: 9 })
      await plantReceipts(subject, { source: 'stripe', count: 300, from: '6 days', to: '2 hours', deliveries: 2 })
      await plantReceipts(subject, { source: 'github', count: 40, from: '50 minutes', to: '1 minute' })
      await plantDeliveries(subject, { source: 'github', count: 10, age: '30 minutes', kind: 'duplicate' })
      await plantDeliveries(subject, { source: 'github', count: 5, age: '2 hours', kind: 'duplicate' })
      await plantDeliveries(subject, { source: 'github', count: 3, age: '1 minute', kind: 'forged' })

      const { sources, ledger } = await store.health('test')

      expect(sources).toMatchObject([
        { source: 'github', received: 40, duplicates: 10, baseline: { deliveries: 0, duplicates: 0 } },
        { source: 'stripe', received: 0, duplicates: 0, baseline: { deliveries: 600, duplicates: 300 } },
      ])
      expect(ledger.rows).toBe(390)
    })

    test('says what waits, for how long, and what is dead, by source and target', async ({ subject }) => {
      const { store, schema, query } = subject
      const dead = await claimOne(subject, newReceipt({ eventId: 'dead' }))
      await store.deadLetter(dead.lease, { error: 'boom', runs: [] })
      await claimOne(subject, newReceipt({ eventId: 'running' }))
      await store.recordReceipts([newReceipt({ eventId: 'due' }), newReceipt({ eventId: 'later' })])
      await store.recordReceipts([newReceipt({ environment: 'live' })])
      await age(subject, 'due', '-90 seconds')
      await age(subject, 'later', '90 seconds')
      await query(
        `insert into "${schema}".outbox (environment, target, key, message, receipt_id, source, event_id, status, due_at)
         select 'test', 'mail', number::text, '{}', 1, 'stripe', 'e', case when number > 3 then 'failed' else 'pending' end,
           clock_timestamp() - interval '10 seconds' from generate_series(1, 5) as number`,
      )

      const { sources, targets } = await store.health('test')

      expect(sources).toMatchObject([{ source: 'stripe', waiting: 3, running: 1, due: 1, deadLetters: 1 }])
      expect(sources[0]?.oldestDueSeconds).toBeGreaterThanOrEqual(90)
      expect(targets).toMatchObject([{ target: 'mail', waiting: 3, running: 0, due: 3, deadLetters: 2 }])
      expect(targets[0]?.oldestDueSeconds).toBeGreaterThanOrEqual(10)
    })
  })
}

async function age<Tx>({ query, schema }: StoreUnderTest<Tx>, eventId: string, difference: string): Promise<void> {
  await query(
    `update "${schema}".queue set due_at = clock_timestamp() + $2::interval
     from "${schema}".receipts where receipts.id = queue.receipt_id and receipts.event_id = $1`,
    [eventId, difference],
  )
}

/** Processed receipts that came evenly between two moments ago. */
export async function plantReceipts<Tx>(
  { query, schema }: Pick<StoreUnderTest<Tx>, 'query' | 'schema'>,
  planted: {
    readonly source: string
    readonly count: number
    readonly from: string
    readonly to: string
    readonly deliveries?: number
  },
): Promise<void> {
  const { source, count, from, to, deliveries = 1 } = planted
  await query(
    `insert into "${schema}".receipts
       (environment, source, event_id, type, received_at, processed_at, status, attempts, body_hash, body_id, deliveries)
     select 'test', $1::text, 'planted ' || $3::text || number, 'a', moment, moment, 'processed', 1, '', gen_random_uuid(), $5::int
     from generate_series(1, $2::int) as number
     cross join lateral (
       select now() - $3::interval + ($3::interval - $4::interval) * number / $2::int as moment
     ) as moments`,
    [source, count, from, to, deliveries],
  )
}

async function plantDeliveries<Tx>(
  { query, schema }: StoreUnderTest<Tx>,
  planted: { readonly source: string; readonly count: number; readonly age: string; readonly kind: string },
): Promise<void> {
  await query(
    `insert into "${schema}".deliveries (environment, source, event_id, kind, at, status, latency_ms)
     select 'test', $1::text, 'e', $4::text, now() - $3::interval, 200, 1 from generate_series(1, $2::int)`,
    [planted.source, planted.count, planted.age, planted.kind],
  )
}
