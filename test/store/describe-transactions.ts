import { describe, expect, vi } from 'vitest'
import {
  claimOne,
  claimRequest,
  handlerRun,
  limits,
  type MakeStore,
  newReceipt,
  type StoreUnderTest,
} from './store-under-test.ts'
import { testWithStore } from './test-with-store.ts'

/** transaction: what is committed together, and what is not. */
export function describeTransactions<Tx>(makeStore: MakeStore<Tx>): void {
  const test = testWithStore(async () => {
    const subject = await makeStore()
    await subject.query(`create table "${subject.schema}".app_effects (event text not null)`)
    return subject
  })
  const effects = async ({ query, schema }: StoreUnderTest<Tx>): Promise<readonly unknown[]> =>
    query(`select event from "${schema}".app_effects order by event`)
  const addEffect = ({ schema, execute }: StoreUnderTest<Tx>, tx: Tx): Promise<unknown> =>
    execute(tx, `insert into "${schema}".app_effects (event) values ('one')`)

  describe('a transaction', () => {
    test('commits the receipt, the effects and the completion together', async ({ subject }) => {
      const { store, schema, query } = subject
      const receipt = newReceipt({ eventId: 'evt_1', disposition: 'inline' })

      const result = await store.transaction(async (transaction) => {
        const { receiptId = '' } = await transaction.recordReceipt(receipt)
        const answer = await transaction.runHandler(async (tx) => {
          await addEffect(subject, tx)
          return 42
        }, limits())
        await transaction.finishInline({
          receiptId,
          key: receipt,
          runs: [handlerRun()],
          next: 'processed',
          endings: [],
        })
        return answer
      })

      expect(result).toBe(42)
      expect(await effects(subject)).toEqual([{ event: 'one' }])
      expect(
        await query(`select status, attempts, processed_at is not null as is_dated from "${schema}".receipts`),
      ).toEqual([{ status: 'processed', attempts: 1, is_dated: true }])
      expect(await query(`select receipt_id from "${schema}".queue`)).toEqual([])
      expect(await query(`select handler, outcome from "${schema}".attempts`)).toEqual([
        { handler: 'h', outcome: 'succeeded' },
      ])
    })

    test('says when the event was done, and how it ended, whether that came soon or late', async ({ subject }) => {
      const { store, schema, query } = subject
      const done: { event_id: string; handler_ended: boolean; status: string; attempts: number }[] = []
      for (const [eventId, lateMilliseconds, next] of [
        ['evt_soon', 0, 'processed'],
        ['evt_late', 60_000, 'processed'],
        ['evt_stale', 0, 'stale'],
      ] as const) {
        const receipt = newReceipt({ eventId, disposition: 'inline' })
        await store.transaction(async (transaction) => {
          const { receiptId = '' } = await transaction.recordReceipt(receipt)
          await transaction.runHandler(
            (tx) => subject.execute(tx, `insert into "${schema}".app_effects (event) values (clock_timestamp()::text)`),
            limits(),
          )
          const now = performance.now()
          const late = vi.spyOn(performance, 'now').mockReturnValue(now + lateMilliseconds)
          await transaction.finishInline({ receiptId, key: receipt, runs: [handlerRun()], next, endings: [] })
          late.mockRestore()
        })
        const [row] = await query<(typeof done)[number]>(`
          select event_id, status, attempts, processed_at > (select max(event::timestamptz) from "${schema}".app_effects) as handler_ended
          from "${schema}".receipts where event_id = '${eventId}'`)
        if (row !== undefined) done.push(row)
      }

      expect(done).toEqual([
        { event_id: 'evt_soon', status: 'processed', attempts: 1, handler_ended: false },
        { event_id: 'evt_late', status: 'processed', attempts: 1, handler_ended: true },
        { event_id: 'evt_stale', status: 'stale', attempts: 1, handler_ended: true },
      ])
      expect(await query(`select event_id, handler, outcome from "${schema}".attempts order by id`)).toEqual(
        ['evt_soon', 'evt_late', 'evt_stale'].map((id) => ({ event_id: id, handler: 'h', outcome: 'succeeded' })),
      )
    })

    test('leaves nothing behind when the handler throws', async ({ subject }) => {
      const { store, schema, query } = subject
      const error = new Error('boom')

      const failing = store.transaction(async (transaction) => {
        await transaction.recordReceipt(newReceipt({ disposition: 'inline' }))
        await transaction.runHandler(async (tx) => {
          await addEffect(subject, tx)
          throw error
        }, limits())
      })

      await expect(failing).rejects.toBe(error)
      expect(await effects(subject)).toEqual([])
      expect(await query(`select id from "${schema}".receipts`)).toEqual([])
    })

    test('commits nothing if the caller goes on after a handler failed', async ({ subject }) => {
      const failing = subject.store.transaction(async (transaction) => {
        await transaction
          .runHandler(async (tx) => {
            await addEffect(subject, tx)
            throw new Error('boom')
          }, limits())
          .catch(() => {})
      })

      await expect(failing).rejects.toThrow('boom')
      expect(await effects(subject)).toEqual([])
    })

    test('tells a copy of a recorded event that it is a duplicate', async ({ subject }) => {
      const { store } = subject
      await store.recordReceipts([newReceipt({ eventId: 'evt_1', disposition: 'ignored' })])

      const recorded = await store.transaction((transaction) =>
        transaction.recordReceipt(newReceipt({ eventId: 'evt_1', content: 'other', disposition: 'inline' })),
      )

      expect(recorded).toMatchObject({ kind: 'duplicate', status: 'ignored', isMutated: true })
    })

    test('puts an event into the queue for the handlers that run there, and remembers those that are done', async ({
      subject,
    }) => {
      const { store } = subject
      const receipt = newReceipt({ eventId: 'evt_1', disposition: 'inline', orderKey: 'customer 1' })

      await store.transaction(async (transaction) => {
        const { receiptId = '' } = await transaction.recordReceipt(receipt)
        await transaction.finishInline({
          receiptId,
          key: receipt,
          runs: [handlerRun({ handler: 'first' })],
          next: 'queue',
          endings: [],
        })
      })

      const [claim] = await store.claim(claimRequest())
      expect(claim).toMatchObject({ eventId: 'evt_1', attempt: 1, completedHandlers: ['first'] })
      expect(await subject.query(`select order_key from "${subject.schema}".queue`)).toEqual([
        { order_key: 'customer 1' },
      ])
    })
  })

  describe('completing', () => {
    test('takes the event out of the queue with its effects', async ({ subject }) => {
      const { store, schema, query } = subject
      const { lease } = await claimOne(subject)

      await store.transaction(async (transaction) => {
        await transaction.runHandler((tx) => addEffect(subject, tx), limits())
        expect(await transaction.completeReceipt(lease, handlerRun())).toBe(true)
      })

      expect(await effects(subject)).toEqual([{ event: 'one' }])
      expect(await query(`select status, attempts from "${schema}".receipts`)).toEqual([
        { status: 'processed', attempts: 1 },
      ])
      expect(await query(`select receipt_id from "${schema}".queue`)).toEqual([])
      expect(await query(`select outcome from "${schema}".attempts`)).toEqual([{ outcome: 'succeeded' }])
    })

    test('takes the event out of the queue with the commit', async ({ subject }) => {
      const { store, schema, query } = subject
      const { lease } = await claimOne(subject)
      const run = handlerRun({ handler: 'it\'s "odd" \\ ; commit' })

      await store.transaction(async (transaction) => {
        await transaction.runHandler((tx) => addEffect(subject, tx), { ...limits(), isLast: true })
        await transaction.finishReceipt(lease, run)
      })

      expect(await effects(subject)).toEqual([{ event: 'one' }])
      expect(await query(`select status, attempts from "${schema}".receipts`)).toEqual([
        { status: 'processed', attempts: 1 },
      ])
      expect(await query(`select receipt_id from "${schema}".queue`)).toEqual([])
      expect(await query(`select handler, outcome from "${schema}".attempts`)).toEqual([
        { handler: run.handler, outcome: 'succeeded' },
      ])
    })

    test('commits nothing if the lease was lost, and says so', async ({ subject }) => {
      const { store, schema, query } = subject
      const { lease } = await claimOne(subject)

      const finishing = store.transaction(async (transaction) => {
        await transaction.runHandler((tx) => addEffect(subject, tx), { ...limits(), isLast: true })
        await transaction.finishReceipt({ ...lease, fence: String(BigInt(lease.fence) + 1n) }, handlerRun())
      })

      await expect(finishing).rejects.toMatchObject({ code: 'ONCEHOOK_LEASE_LOST' })
      expect(await effects(subject)).toEqual([])
      expect(await query(`select status from "${schema}".receipts`)).toEqual([{ status: 'received' }])
      expect(await query(`select outcome from "${schema}".attempts`)).toEqual([])
    })

    test('one of several handlers is remembered until all are done', async ({ subject }) => {
      const { store, schema, query } = subject
      const first = await claimOne(subject)
      const isHeld = await store.transaction((transaction) =>
        transaction.completeHandler(first.lease, handlerRun({ handler: 'mail' })),
      )
      expect(isHeld).toBe(true)
      await store.handBack([first.lease])

      const [second] = await store.claim(claimRequest())
      expect(second?.completedHandlers).toEqual(['mail'])
      await store.transaction((transaction) => transaction.completeReceipt(second?.lease ?? first.lease, handlerRun()))

      expect(await query(`select handler from "${schema}".completions`)).toEqual([])
      expect(await query(`select handler from "${schema}".attempts order by id`)).toEqual([
        { handler: 'mail' },
        { handler: 'h' },
      ])
    })
  })
}
