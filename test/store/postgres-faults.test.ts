import { describe, expect } from 'vitest'
import type { PgTransaction } from '../../src/store/postgres/postgres-store.ts'
import type { Store } from '../../src/store/store.ts'
import type { TestDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'
import { terminateAll, test } from './postgres-test.ts'
import { codeOf, limits, newReceipt } from './store-under-test.ts'

async function effects({ query, schema }: TestDatabase): Promise<readonly unknown[]> {
  return (await query<{ event: string }>(`select event from "${schema}".app_effects order by event`)).map(
    ({ event }) => event,
  )
}

/** The pool notices a lost connection a moment after the server has ended it. */
async function usableAgain(store: Store<PgTransaction>): Promise<unknown> {
  return until(
    () => codeOf(store.recordReceipts([newReceipt()])),
    (code) => code === 'resolved',
  )
}

describe('a terminated backend', () => {
  test('does no harm while its connection is idle', async ({ database, store }) => {
    await store.recordReceipts([newReceipt()])

    await terminateAll(database)

    expect(await usableAgain(store)).toBe('resolved')
  })

  test('fails the statement that was running, with a code that says to try again', async ({ database, store }) => {
    const holder = await database.pool.connect()
    await holder.query(`begin; lock table "${database.schema}".receipts`)
    const recording = codeOf(store.recordReceipts([newReceipt()]))
    await until(
      () =>
        database.query("select pid from pg_stat_activity where application_name = $1 and wait_event_type = 'Lock'", [
          database.schema,
        ]),
      (rows) => rows.length === 1,
    )

    await terminateAll(database)

    expect(await recording).toBe('ONCEHOOK_STORE_UNAVAILABLE')
    await holder.query('rollback')
    holder.release()
    expect(await usableAgain(store)).toBe('resolved')
  })

  test('rolls back the handler it happens to, and frees its place in the pool', async ({ database, store, pool }) => {
    const running = store.transaction((transaction) =>
      transaction.runHandler(async (tx) => {
        await tx.query(`insert into "${database.schema}".app_effects (event) values ('lost')`)
        await terminateAll(database)
        await tx.query('select 1')
      }, limits()),
    )

    expect(await codeOf(running)).toBe('ONCEHOOK_STORE_UNAVAILABLE')
    expect(await effects(database)).toEqual([])
    await until(
      () => pool.totalCount - pool.idleCount,
      (busy) => busy === 0,
    )
    expect(await usableAgain(store)).toBe('resolved')
  })

  test('before COMMIT leaves it unknown whether it was committed', async ({ database, store }) => {
    const running = store.transaction(async (transaction) => {
      await transaction.recordReceipt(newReceipt())
      await terminateAll(database)
    })

    expect(await codeOf(running)).toBe('ONCEHOOK_COMMIT_UNKNOWN')
  })
})

describe('a pool without a free connection', () => {
  test('is not waited for longer than the limit, and serves again afterwards', async ({ store, pool }) => {
    const taken = await Promise.all(Array.from({ length: 4 }, () => pool.connect()))

    expect(await codeOf(store.recordReceipts([newReceipt()]))).toBe('ONCEHOOK_CONNECTION_TIMEOUT')
    for (const client of taken) client.release()

    expect(await codeOf(store.recordReceipts([newReceipt()]))).toBe('resolved')
    // The connection that came too late is back as well.
    await until(
      () => pool.totalCount - pool.idleCount,
      (busy) => busy === 0,
    )
  })
})

describe('two handlers that take the same rows in opposite order', () => {
  test('end with one conflict, which says to run it again, and one commit', async ({ database, store }) => {
    const { schema, query } = database
    await query(`insert into "${schema}".app_effects (event) values ('x'), ('y')`)
    const arrived: Promise<void>[] = []
    const arrivals: (() => void)[] = []
    for (let index = 0; index < 2; index += 1) arrived.push(new Promise((resolve) => arrivals.push(resolve)))
    const cross = (index: number, [one, other]: readonly [string, string]): Promise<unknown> =>
      store.transaction((transaction) =>
        transaction.runHandler(async (tx) => {
          const touch = `update "${schema}".app_effects set event = event where event = $1`
          await tx.query(touch, [one])
          arrivals[index]?.()
          await Promise.all(arrived)
          await tx.query(touch, [other])
        }, limits()),
      )

    const codes = await Promise.all([codeOf(cross(0, ['x', 'y'])), codeOf(cross(1, ['y', 'x']))])

    expect(codes.toSorted((one, two) => String(one).localeCompare(String(two)))).toEqual([
      'ONCEHOOK_CONFLICT',
      'resolved',
    ])
  })
})

describe('a handler that was given up', () => {
  test('has its running statement stopped in the database', async ({ database, store }) => {
    const running = store.transaction((transaction) =>
      transaction.runHandler((tx) => tx.query('select pg_sleep(300)'), limits({ timeoutSeconds: 0.3 })),
    )

    expect(await codeOf(running)).toBe('ONCEHOOK_HANDLER_TIMED_OUT')
    const left = await until(
      () =>
        database.query(
          "select pid from pg_stat_activity where application_name = $1 and query like '%pg_sleep%' and state = 'active'",
          [database.schema],
        ),
      (rows) => rows.length === 0,
    )
    expect(left).toEqual([])
  })

  test('never writes into the transaction of another event', async ({ database, store }) => {
    const late: Promise<unknown>[] = []
    let wake = (): void => {}
    const woken = new Promise<void>((resolve) => {
      wake = resolve
    })
    const insert = `insert into "${database.schema}".app_effects (event) values ($1)`
    const abandoned = store.transaction((transaction) =>
      transaction.runHandler(
        async (tx) => {
          late.push(codeOf(woken.then(() => tx.query(insert, ['late']))))
          await woken
          await tx.query(insert, ['later'])
        },
        limits({ timeoutSeconds: 0.2 }),
      ),
    )
    expect(await codeOf(abandoned)).toBe('ONCEHOOK_HANDLER_TIMED_OUT')

    for (let event = 0; event < 8; event += 1) {
      await store.transaction((transaction) =>
        transaction.runHandler(async (tx) => {
          wake()
          await tx.query(insert, [`event ${event}`])
        }, limits()),
      )
    }

    expect(await Promise.all(late)).toEqual(['ONCEHOOK_TRANSACTION_CLOSED'])
    expect(await effects(database)).toEqual(Array.from({ length: 8 }, (_, event) => `event ${event}`))
  })

  test('cannot give its connection back to the pool itself', async ({ store }) => {
    const running = store.transaction((transaction) =>
      transaction.runHandler(async (tx) => {
        ;(tx as unknown as { release: () => void }).release()
      }, limits()),
    )

    expect(await codeOf(running)).toBe('ONCEHOOK_HANDLER_ENDED_TRANSACTION')
  })

  test('leaves no settings behind on a connection of the pool', async ({ store, pool }) => {
    const show = async (): Promise<unknown> =>
      (
        await pool.query(
          "select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement",
        )
      ).rows
    const before = await show()

    await store.transaction((transaction) => transaction.runHandler((tx) => tx.query('select 1'), limits()))

    expect(await show()).toEqual(before)
    expect(pool.totalCount).toBe(1)
  })
})

describe('a failed statement that was swallowed outside of a handler', () => {
  test('is noticed by the answer to COMMIT', async ({ database, store }) => {
    const broken = newReceipt({ eventId: 'no text: \u0000' })

    const running = store.transaction(async (transaction) => {
      await transaction.recordReceipt(newReceipt())
      await transaction.recordReceipt(broken).catch(() => {})
    })

    expect(await codeOf(running)).toBe('ONCEHOOK_HANDLER_SWALLOWED_FAILURE')
    expect(await database.query(`select id from "${database.schema}".receipts`)).toEqual([])
  })
})

describe('a constraint that is only checked at COMMIT', () => {
  test('fails the event with its own error', async ({ database, store }) => {
    await database.query(`create table "${database.schema}".once (id int unique deferrable initially deferred)`)

    const running = store.transaction((transaction) =>
      transaction.runHandler((tx) => tx.query(`insert into "${database.schema}".once (id) values (1), (1)`), limits()),
    )

    expect(await codeOf(running)).toBe('23505')
  })
})
