import { describe, expect } from 'vitest'
import {
  claimOne,
  claimRequest,
  codeOf,
  handlerRun,
  limits,
  type MakeStore,
  newReceipt,
  type StoreUnderTest,
} from './store-under-test.ts'
import { testWithStore } from './test-with-store.ts'

/** transaction and everything that can be done inside one. */
export function describeHandlers<Tx>(makeStore: MakeStore<Tx>): void {
  const test = testWithStore(async () => {
    const subject = await makeStore()
    await subject.query(`create table "${subject.schema}".effects (event text not null)`)
    return subject
  })
  const effects = async ({ query, schema }: StoreUnderTest<Tx>): Promise<readonly unknown[]> =>
    query(`select event from "${schema}".effects order by event`)
  const addEffect = ({ schema, execute }: StoreUnderTest<Tx>, tx: Tx, event = 'one'): Promise<unknown> =>
    execute(tx, `insert into "${schema}".effects (event) values ('${event}')`)

  describe('a transaction', () => {
    test('commits the receipt, the effects and the completion together', async ({ subject }) => {
      const { store, schema, query } = subject
      const receipt = newReceipt({ eventId: 'evt_1', disposition: 'inline' })

      const result = await store.transaction(async (transaction) => {
        expect(await transaction.tryLockEvent(receipt)).toBe(true)
        const { receiptId } = await transaction.recordReceipt(receipt)
        const answer = await transaction.runHandler(async (tx) => {
          await addEffect(subject, tx)
          return 42
        }, limits())
        await transaction.completeInline({ ...receipt, receiptId }, [handlerRun()], 'processed')
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
        const { receiptId } = await transaction.recordReceipt(receipt)
        await transaction.completeInline({ ...receipt, receiptId }, [handlerRun({ handler: 'first' })], 'queue')
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

  describe('a handler', () => {
    const misbehave = (subject: StoreUnderTest<Tx>, run: (tx: Tx) => Promise<unknown>): Promise<unknown> =>
      codeOf(subject.store.transaction((transaction) => transaction.runHandler(run, limits())))

    test.for(['commit', 'ROLLBACK', 'begin', 'end', 'abort', 'start transaction', "prepare transaction 'x'"])(
      'that sends %s is refused, and nothing of it is kept',
      async (statement, { subject }) => {
        const code = await misbehave(subject, async (tx) => {
          await addEffect(subject, tx)
          await subject.execute(tx, statement)
        })

        expect(code).toBe('ONCEHOOK_HANDLER_ENDED_TRANSACTION')
        expect(await effects(subject)).toEqual([])
      },
    )

    test('that swallows the refusal of a commit fails all the same', async ({ subject }) => {
      const code = await misbehave(subject, async (tx) => {
        await addEffect(subject, tx)
        await subject.execute(tx, 'commit').catch(() => {})
      })

      expect(code).toBe('ONCEHOOK_HANDLER_ENDED_TRANSACTION')
      expect(await effects(subject)).toEqual([])
    })

    test('that swallows a failed statement is found out, and nothing of it is kept', async ({ subject }) => {
      const code = await misbehave(subject, async (tx) => {
        await addEffect(subject, tx)
        await subject.execute(tx, 'select 1 / 0').catch(() => {})
      })

      expect(code).toBe('ONCEHOOK_HANDLER_SWALLOWED_FAILURE')
      expect(await effects(subject)).toEqual([])
    })

    test('may fail inside a savepoint of its own', async ({ subject }) => {
      await subject.store.transaction((transaction) =>
        transaction.runHandler(async (tx) => {
          await addEffect(subject, tx)
          await subject.execute(tx, 'savepoint mine')
          await subject.execute(tx, 'select 1 / 0').catch(() => {})
          await subject.execute(tx, 'rollback to savepoint mine')
        }, limits()),
      )

      expect(await effects(subject)).toEqual([{ event: 'one' }])
    })

    test('that returns while a statement is running is found out, and nothing of it is kept', async ({ subject }) => {
      const code = await misbehave(subject, async (tx) => {
        void addEffect(subject, tx)
      })

      expect(code).toBe('ONCEHOOK_HANDLER_LEFT_STATEMENTS')
      expect(await effects(subject)).toEqual([])
    })

    test('that leaves a failing statement running does not end the process', async ({ subject }) => {
      const code = await misbehave(subject, async (tx) => {
        void subject.execute(tx, 'select 1 / 0')
      })

      expect(code).toBe('ONCEHOOK_HANDLER_LEFT_STATEMENTS')
    })

    test('cannot write once it has returned', async ({ subject }) => {
      let late: (() => Promise<unknown>) | undefined
      await subject.store.transaction((transaction) =>
        transaction.runHandler(async (tx) => {
          late = () => addEffect(subject, tx)
        }, limits()),
      )

      expect(await codeOf(late?.() ?? Promise.resolve())).toBe('ONCEHOOK_TRANSACTION_CLOSED')
      expect(await effects(subject)).toEqual([])
    })

    test('that never settles is timed out, and its writes are gone', async ({ subject }) => {
      const abort = new AbortController()
      let late: (() => Promise<unknown>) | undefined

      const timedOut = subject.store.transaction((transaction) =>
        transaction.runHandler(
          async (tx) => {
            await addEffect(subject, tx)
            late = () => addEffect(subject, tx, 'late')
            await new Promise(() => {})
          },
          limits({ timeoutSeconds: 0.2, abort }),
        ),
      )

      expect(await codeOf(timedOut)).toBe('ONCEHOOK_HANDLER_TIMED_OUT')
      expect(abort.signal.aborted).toBe(true)
      expect(await codeOf(late?.() ?? Promise.resolve())).toBe('ONCEHOOK_TRANSACTION_CLOSED')
      expect(await effects(subject)).toEqual([])
    })

    test('is given up when the worker stops for good', async ({ subject }) => {
      const abort = new AbortController()

      const stopped = subject.store.transaction((transaction) =>
        transaction.runHandler(async (tx) => {
          await addEffect(subject, tx)
          abort.abort()
          await new Promise(() => {})
        }, limits({ abort })),
      )

      expect(await codeOf(stopped)).toBe('ONCEHOOK_STOPPED')
      expect(await effects(subject)).toEqual([])
    })

    test('that misses a table of its own is not told to migrate ours', async ({ subject }) => {
      const code = await misbehave(subject, (tx) => subject.execute(tx, 'select from no_such_table'))

      expect(code).toBe('42P01')
    })
  })
}
