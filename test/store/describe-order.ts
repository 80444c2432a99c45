import { describe, expect } from 'vitest'
import { claimOne, claimRequest, expireLeases, type MakeStore, newReceipt, scope } from './store-under-test.ts'
import { testWithStore } from './test-with-store.ts'

/** claim and millisecondsUntilDue, for events with order keys. */
export function describeOrder<Tx>(makeStore: MakeStore<Tx>): void {
  const test = testWithStore(makeStore)

  describe('events with one order key', () => {
    test('are handed out one at a time, in the order of arrival', async ({ subject }) => {
      const { store } = subject
      for (const eventId of ['a', 'b']) await store.recordReceipts([newReceipt({ eventId, orderKey: 'customer 1' })])
      await store.recordReceipts([newReceipt({ eventId: 'c', orderKey: 'customer 2' })])

      const first = await store.claim(claimRequest())
      const second = await store.claim(claimRequest())

      expect(first.map(({ eventId }) => eventId)).toEqual(['a', 'c'])
      expect(second).toEqual([])
    })

    test('wait for an earlier one that is to be retried later', async ({ subject }) => {
      const { store } = subject
      const claim = await claimOne(subject, newReceipt({ eventId: 'a', orderKey: 'customer 1' }))
      await store.recordReceipts([newReceipt({ eventId: 'b', orderKey: 'customer 1' })])
      await store.retryLater(claim.lease, { seconds: 60, kind: 'retrying', error: 'boom', runs: [] })

      expect(await store.claim(claimRequest())).toEqual([])
      expect(await store.millisecondsUntilDue(scope)).toBeGreaterThan(50_000)
    })

    test('go on once the earlier one is a dead letter', async ({ subject }) => {
      const { store } = subject
      const claim = await claimOne(subject, newReceipt({ eventId: 'a', orderKey: 'customer 1' }))
      await store.recordReceipts([newReceipt({ eventId: 'b', orderKey: 'customer 1' })])

      await store.deadLetter(claim.lease, { error: 'boom', runs: [] })

      expect((await store.claim(claimRequest())).map(({ eventId }) => eventId)).toEqual(['b'])
    })

    test('finish an expired lease before an earlier one that was put back meanwhile', async ({ subject }) => {
      const { store } = subject
      const earlier = await claimOne(subject, newReceipt({ eventId: 'a', orderKey: 'customer 1' }))
      await store.deadLetter(earlier.lease, { error: 'boom', runs: [] })
      await claimOne(subject, newReceipt({ eventId: 'b', orderKey: 'customer 1' }))
      await store.replay('test', { eventId: 'a' }, { by: 'me', why: 'mended' })
      await expireLeases(subject)

      expect((await store.claim(claimRequest())).map(({ eventId }) => eventId)).toEqual(['b'])
    })
  })
}
