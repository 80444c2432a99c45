import { describe, expect } from 'vitest'
import type { ReceiptFilter } from '../../src/receipt/receipt.ts'
import {
  claimOne,
  claimRequest,
  codeOf,
  handlerRun,
  type MakeStore,
  newReceipt,
  type StoreUnderTest,
} from './store-under-test.ts'
import { testWithStore } from './test-with-store.ts'

/** findReceipts, counts, gauges, replay. */
export function describeReading<Tx>(makeStore: MakeStore<Tx>): void {
  const test = testWithStore(makeStore)
  const note = { by: 'ada', why: 'the bug is mended' }

  async function found({ store }: StoreUnderTest<Tx>, filter: ReceiptFilter): Promise<readonly string[]> {
    return (await store.findReceipts('test', filter)).map(({ eventId }) => eventId)
  }

  /** One event in each state. */
  async function fill(subject: StoreUnderTest<Tx>): Promise<void> {
    const { store } = subject
    const processed = await claimOne(subject, newReceipt({ eventId: 'processed', event: { objectId: 'in_1' } }))
    await store.transaction((transaction) => transaction.completeReceipt(processed.lease, handlerRun()))
    const failed = await claimOne(subject, newReceipt({ eventId: 'failed' }))
    await store.deadLetter(failed.lease, { error: 'boom', runs: [] })
    const retrying = await claimOne(subject, newReceipt({ eventId: 'retrying' }))
    await store.retryLater(retrying.lease, { seconds: 60, kind: 'retrying', error: 'again', runs: [] })
    await claimOne(subject, newReceipt({ eventId: 'processing', event: { type: 'charge.failed' } }))
    await store.recordReceipts([newReceipt({ eventId: 'ignored', disposition: 'ignored' })])
    await store.recordReceipts([
      newReceipt({ eventId: 'received' }),
      newReceipt({ eventId: 'other', environment: 'live' }),
    ])
  }

  describe('the name of a ledger', () => {
    test('stays while receipts come, and is another once they are gone', async ({ subject }) => {
      const { store, query, schema } = subject
      const empty = await store.ledgerName()
      await store.recordReceipts([newReceipt()])
      const filled = await store.ledgerName()

      await query(`truncate "${schema}".receipts`)

      expect(filled).toBe(empty)
      expect(await store.ledgerName()).not.toBe(filled)
    })
  })

  describe('finding receipts', () => {
    test('shows them newest first, of one environment', async ({ subject }) => {
      await fill(subject)

      expect(await found(subject, {})).toEqual(['received', 'ignored', 'processing', 'retrying', 'failed', 'processed'])
    })

    test('shows the status people expect', async ({ subject }) => {
      await fill(subject)

      const receipts = await subject.store.findReceipts('test', {})

      for (const { eventId, status } of receipts) expect(status).toBe(eventId)
      const retrying = receipts.find(({ eventId }) => eventId === 'retrying')
      expect(retrying).toMatchObject({
        attempts: 1,
        lastError: 'again',
        deliveries: 1,
        secretIndex: 0,
        objectId: undefined,
      })
      expect(retrying?.nextAttemptAt?.getTime()).toBeGreaterThan(retrying?.receivedAt.getTime() ?? 0)
      expect(receipts.find(({ eventId }) => eventId === 'processed')?.processedAt).toBeInstanceOf(Date)
    })

    test('keeps to everything the filter says', async ({ subject }) => {
      await fill(subject)
      const [newest] = await subject.store.findReceipts('test', { limit: 1 })

      expect(await found(subject, { status: 'failed' })).toEqual(['failed'])
      expect(await found(subject, { status: ['processing', 'ignored'] })).toEqual(['ignored', 'processing'])
      expect(await found(subject, { isPending: true })).toEqual(['received', 'processing', 'retrying'])
      expect(await found(subject, { isPending: false })).toEqual(['ignored', 'failed', 'processed'])
      expect(await found(subject, { type: 'charge.failed' })).toEqual(['processing'])
      expect(await found(subject, { objectId: 'in_1' })).toEqual(['processed'])
      expect(await found(subject, { source: 'github' })).toEqual([])
      expect(await found(subject, { eventId: 'failed', source: 'stripe' })).toEqual(['failed'])
      expect(await found(subject, { limit: 2, beforeId: newest?.id ?? '' })).toEqual(['ignored', 'processing'])
      expect(await found(subject, { id: newest?.id ?? '' })).toEqual(['received'])
      expect(await found(subject, { id: 'no number' })).toEqual([])
      expect(await found(subject, { receivedAfter: new Date('2999-01-01') })).toEqual([])
      expect(await found(subject, { receivedBefore: new Date('2999-01-01'), status: 'failed' })).toEqual(['failed'])
    })

    test('counts them by source and status', async ({ subject }) => {
      await fill(subject)

      const counts = await subject.store.counts('test')

      expect(counts).toEqual(
        ['failed', 'ignored', 'processed', 'processing', 'received', 'retrying'].map((status) => ({
          source: 'stripe',
          status,
          count: 1,
        })),
      )
    })

    test('gauges what is still to be done, and what is dead', async ({ subject }) => {
      await fill(subject)

      const { queue, deadLetters, outbox, ledger } = await subject.store.gauges('test')

      expect(queue).toEqual([
        { source: 'stripe', waiting: 1, retrying: 1, running: 1, oldestDueSeconds: expect.any(Number) },
      ])
      expect(queue[0]?.oldestDueSeconds).toBeGreaterThan(0)
      expect({ deadLetters, outbox }).toEqual({ deadLetters: [{ source: 'stripe', count: 1 }], outbox: [] })
      expect(Object.keys(ledger)).toEqual(['rows', 'rowsInserted', 'rowsDeleted'])
    })
  })

  describe('replaying', () => {
    test('puts failed and ignored events back, and notes who did it and why', async ({ subject }) => {
      const { store, schema, query } = subject
      await fill(subject)

      const ids = await store.replay('test', {}, note)

      expect(ids).toHaveLength(2)
      expect(await found(subject, { status: 'received' })).toEqual(['received', 'ignored', 'failed'])
      expect(
        await query(`select receipt_id::text as id, "by", why from "${schema}".replays order by receipt_id`),
      ).toEqual(ids.map((id) => ({ id, ...note })))
      const claims = await store.claim(claimRequest())
      expect(
        claims
          .map(({ eventId, attempt }) => [eventId, attempt])
          .toSorted(([one], [other]) => String(one).localeCompare(String(other))),
      ).toEqual([
        ['failed', 1],
        ['ignored', 1],
        ['received', 1],
      ])
    })

    test('repeats a processed event only if the filter says so, with all its handlers', async ({ subject }) => {
      await fill(subject)

      expect(await subject.store.replay('test', { eventId: 'processed' }, note)).toEqual([])
      expect(await subject.store.replay('test', { eventId: 'processed', status: 'processed' }, note)).toHaveLength(1)
      expect(await found(subject, { status: 'received', eventId: 'processed' })).toEqual(['processed'])
    })

    test('keeps what the handlers of a dead letter have completed', async ({ subject }) => {
      const { store } = subject
      const { lease } = await claimOne(subject)
      await store.transaction((transaction) => transaction.completeHandler(lease, handlerRun({ handler: 'mail' })))
      await store.deadLetter(lease, { error: 'boom', runs: [] })

      await store.replay('test', {}, note)

      expect((await store.claim(claimRequest()))[0]?.completedHandlers).toEqual(['mail'])
    })

    test('leaves alone what is in the queue, even if the filter names it', async ({ subject }) => {
      await fill(subject)

      expect(await subject.store.replay('test', { status: ['received', 'retrying', 'processing'] }, note)).toEqual([])
      expect(await subject.query(`select receipt_id from "${subject.schema}".replays`)).toEqual([])
    })

    test('gives the event a fence that no earlier lease had', async ({ subject }) => {
      const { store } = subject
      const { lease } = await claimOne(subject)
      await store.deadLetter(lease, { error: 'boom', runs: [] })
      await store.replay('test', {}, note)

      const [claim] = await store.claim(claimRequest())

      expect(claim?.lease.fence).not.toBe(lease.fence)
      expect(await store.renewLeases([lease], 30)).toEqual([])
    })

    test('needs a name and a reason', async ({ subject }) => {
      expect(await codeOf(subject.store.replay('test', {}, { by: '', why: 'x' }))).toBe('ONCEHOOK_INVALID_OPTIONS')
      expect(await codeOf(subject.store.replay('test', {}, { by: 'ada', why: ' ' }))).toBe('ONCEHOOK_INVALID_OPTIONS')
    })
  })
}
