import { describe, expect } from 'vitest'
import type { Claim, CompletedReceipt } from '../../src/store/store.ts'
import {
  claimRequest,
  codeOf,
  expireLeases,
  handlerRun,
  type MakeStore,
  newReceipt,
  type StoreUnderTest,
} from './store-under-test.ts'
import { testWithStore } from './test-with-store.ts'

/** finishReceipts. */
export function describeFinishing<Tx>(makeStore: MakeStore<Tx>): void {
  const test = testWithStore(makeStore)

  describe('finishing many receipts at the end of a transaction', () => {
    test('completes each and logs its own run, in whatever order they are given', async ({ subject }) => {
      const [first, second, third] = await claimThree(subject)
      const runs = [
        { claim: third, tookMilliseconds: 30_000 },
        { claim: first, tookMilliseconds: 10_000 },
        { claim: second, tookMilliseconds: 20_000 },
      ]

      await finish(
        subject,
        runs.map(({ claim, tookMilliseconds }) => completed(claim, { run: handlerRun({ tookMilliseconds }) })),
      )

      expect(await attempts(subject)).toEqual([
        { eventId: 'a', attempt: 1, handler: 'h', worker: 'worker-1', outcome: 'succeeded', seconds: 10 },
        { eventId: 'b', attempt: 1, handler: 'h', worker: 'worker-1', outcome: 'succeeded', seconds: 20 },
        { eventId: 'c', attempt: 1, handler: 'h', worker: 'worker-1', outcome: 'succeeded', seconds: 30 },
      ])
      expect(await statuses(subject)).toEqual(['a processed 1', 'b processed 1', 'c processed 1'])
      expect(await queued(subject)).toEqual([])
    })

    test('completes those that were tried a different number of times', async ({ subject }) => {
      const { store } = subject
      await store.recordReceipts([newReceipt({ eventId: 'a' })])
      await store.claim(claimRequest())
      await expireLeases(subject)
      await store.recordReceipts([newReceipt({ eventId: 'b' })])
      const claims = await store.claim(claimRequest())

      await finish(
        subject,
        claims.map((claim) => completed(claim, { run: handlerRun({ attempt: claim.attempt }) })),
      )

      expect(await statuses(subject)).toEqual(['a processed 2', 'b processed 1'])
      expect((await attempts(subject)).map(({ eventId, attempt, outcome }) => [eventId, attempt, outcome])).toEqual([
        ['a', 1, 'abandoned'],
        ['a', 2, 'succeeded'],
        ['b', 1, 'succeeded'],
      ])
    })

    test('completes those that end differently', async ({ subject }) => {
      const [first, second, third] = await claimThree(subject)

      await finish(subject, [completed(first), completed(second, { ending: 'stale' }), completed(third)])

      expect(await statuses(subject)).toEqual(['a processed 1', 'b stale 1', 'c processed 1'])
    })

    test('completes none if one of the leases was lost', async ({ subject }) => {
      const [first, second, third] = await claimThree(subject)
      await subject.store.handBack([second.lease])

      const code = await codeOf(
        finish(
          subject,
          [first, second, third].map((claim) => completed(claim)),
        ),
      )

      expect(code).toBe('ONCEHOOK_LEASE_LOST')
      expect(await statuses(subject)).toEqual(['a received 0', 'b received 0', 'c received 0'])
      expect(await queued(subject)).toEqual(['a', 'b', 'c'])
      expect(await attempts(subject)).toEqual([])
    })

    test('takes no fence of one receipt for another', async ({ subject }) => {
      const [first, second, third] = await claimThree(subject)
      const swapped = [
        { ...first, lease: { ...first.lease, fence: second.lease.fence } },
        { ...second, lease: { ...second.lease, fence: first.lease.fence } },
        third,
      ]

      const code = await codeOf(
        finish(
          subject,
          swapped.map((claim) => completed(claim)),
        ),
      )

      expect(code).toBe('ONCEHOOK_LEASE_LOST')
      expect(await statuses(subject)).toEqual(['a received 0', 'b received 0', 'c received 0'])
      expect(await queued(subject)).toEqual(['a', 'b', 'c'])
    })
  })
}

async function claimThree<Tx>({ store }: StoreUnderTest<Tx>): Promise<readonly [Claim, Claim, Claim]> {
  for (const eventId of ['a', 'b', 'c']) await store.recordReceipts([newReceipt({ eventId })])
  const [first, second, third] = await store.claim(claimRequest())
  if (first === undefined || second === undefined || third === undefined) throw new Error('Not all were claimed.')
  return [first, second, third]
}

function completed({ lease }: Claim, parts: Partial<CompletedReceipt> = {}): CompletedReceipt {
  return { lease, run: handlerRun(), ending: 'processed', ...parts }
}

function finish<Tx>({ store }: StoreUnderTest<Tx>, receipts: readonly CompletedReceipt[]): Promise<void> {
  return store.transaction((transaction) => transaction.finishReceipts(receipts))
}

async function statuses<Tx>({ query, schema }: StoreUnderTest<Tx>): Promise<readonly unknown[]> {
  const rows = await query(
    `select concat_ws(' ', event_id, status, attempts) as line from "${schema}".receipts order by event_id`,
  )
  return rows.map(({ line }) => line)
}

async function queued<Tx>({ query, schema }: StoreUnderTest<Tx>): Promise<readonly unknown[]> {
  const rows = await query(
    `select event_id from "${schema}".queue join "${schema}".receipts on receipts.id = receipt_id order by event_id`,
  )
  return rows.map(({ event_id }) => event_id)
}

async function attempts<Tx>({ query, schema }: StoreUnderTest<Tx>): Promise<readonly Record<string, unknown>[]> {
  return query(
    `select event_id as "eventId", attempt, handler, worker, outcome, round(extract(epoch from ended_at - started_at))::int as seconds
     from "${schema}".attempts order by event_id, attempt`,
  )
}
