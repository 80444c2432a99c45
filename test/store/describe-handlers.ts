import { describe, expect } from 'vitest'
import { codeOf, limits, type MakeStore, type StoreUnderTest } from './store-under-test.ts'
import { testWithStore } from './test-with-store.ts'

/** runHandler: what handlers can do wrong, and that nothing of it is kept. */
export function describeHandlers<Tx>(makeStore: MakeStore<Tx>): void {
  const test = testWithStore(async () => {
    const subject = await makeStore()
    await subject.query(`create table "${subject.schema}".app_effects (event text not null)`)
    return subject
  })
  const effects = async ({ query, schema }: StoreUnderTest<Tx>): Promise<readonly unknown[]> =>
    query(`select event from "${schema}".app_effects order by event`)
  const addEffect = ({ schema, execute }: StoreUnderTest<Tx>, tx: Tx, event = 'one'): Promise<unknown> =>
    execute(tx, `insert into "${schema}".app_effects (event) values ('${event}')`)

  async function inSavepoint(
    { execute, savepoint }: StoreUnderTest<Tx>,
    tx: Tx,
    work: (tx: Tx) => Promise<unknown>,
  ): Promise<unknown> {
    if (savepoint !== undefined) return savepoint(tx, work)
    await execute(tx, 'savepoint mine')
    try {
      return await work(tx)
    } catch (error) {
      await execute(tx, 'rollback to savepoint mine')
      throw error
    }
  }

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

    test('runs in a transaction that was begun with its time limit, and so does the next', async ({ subject }) => {
      const { timeoutSeconds } = limits()
      await subject.store.transaction(
        async (transaction) => {
          await transaction.runHandler((tx) => addEffect(subject, tx, 'first'), limits())
          await transaction.runHandler((tx) => addEffect(subject, tx, 'second'), limits({ timeoutSeconds: 7 }))
        },
        { handlerSeconds: timeoutSeconds },
      )

      expect(await effects(subject)).toEqual([{ event: 'first' }, { event: 'second' }])
    })

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
          await inSavepoint(subject, tx, (inner) => subject.execute(inner, 'select 1 / 0')).catch(() => {})
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
