import { describe, expect } from 'vitest'
import type { NewReceipt, Recorded } from '../../src/receipt/receipt.ts'
import type { Database } from '../../src/store/postgres/database.ts'
import type { PgTransaction } from '../../src/store/postgres/postgres-store.ts'
import { recordReceipts } from '../../src/store/postgres/record-receipts.ts'
import type { Store } from '../../src/store/store.ts'
import type { TestDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'
import { bareDatabase, gateBefore } from './bare-database.ts'
import { count, test } from './postgres-stores.ts'
import { newReceipt, signedReceipt } from './store-under-test.ts'

const unflagged = (recorded: readonly Recorded[]): readonly Recorded[] =>
  recorded.filter((one) => one.kind === 'first' && one.repeatsEventId === undefined)

describe('one signed body under many ids at once', () => {
  test('is flagged for all but one, whichever way it is recorded', async ({ database, stores }) => {
    const several = await stores(4)

    for (let round = 0; round < 10; round += 1) {
      const recorded = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          record(several[index % 4], signedReceipt(`${round}-${index}`, `body ${round}`), index),
        ),
      )
      expect(recorded.every(({ kind }) => kind === 'first')).toBe(true)
      expect(unflagged(recorded)).toHaveLength(1)
    }

    expect(await count(database, 'receipts')).toBe(200)
    expect(await rowsWithKey(database)).toBe(10)
  })

  test('leaves one receipt, if the others are to be duplicates', async ({ database, stores }) => {
    const several = await stores(4)

    for (let round = 0; round < 10; round += 1) {
      const receipts = Array.from({ length: 20 }, (_, index) =>
        signedReceipt(`${round}-${index}`, `body ${round}`, { whenRepeated: 'duplicate' }),
      )
      const recorded = await Promise.all(receipts.map((receipt, index) => record(several[index % 4], receipt, index)))
      expect(unflagged(recorded)).toHaveLength(1)
      expect(recorded.filter((one) => one.kind === 'duplicate' && one.repeatsEventId !== undefined)).toHaveLength(19)
    }

    expect(await count(database, 'receipts')).toBe(10)
    expect(await count(database, 'bodies')).toBe(10)
    expect(await rowsWithKey(database)).toBe(10)
  })
})

describe('a signed body that a transaction is running', () => {
  test.for(['commits', 'rolls back'] as const)(
    'keeps nobody waiting, and is decided when the transaction %s',
    async (end, { database, stores }) => {
      const [one, other] = await stores(2)
      const first = signedReceipt('one', 'body', { disposition: 'inline', whenRepeated: 'duplicate' })
      const second = signedReceipt('two', 'body', { disposition: 'inline', whenRepeated: 'duplicate' })

      const running = one?.transaction(async (transaction) => {
        await transaction.recordReceipt(first)
        expect(await other?.transaction(({ recordReceipt }) => recordReceipt(second))).toEqual({ kind: 'busy' })
        const neighbours = [newReceipt(), signedReceipt('three', 'other body')]
        expect(await other?.recordReceipts([second, ...neighbours])).toMatchObject([
          { kind: 'busy' },
          { kind: 'first' },
          { kind: 'first' },
        ])
        if (end === 'rolls back') throw new Error('boom')
      })
      await running?.catch(() => {})
      const decided = await other?.recordReceipts([second])

      expect(decided).toMatchObject(
        end === 'commits' ? [{ kind: 'duplicate', repeatsEventId: 'one' }] : [{ kind: 'first' }],
      )
      expect(await count(database, 'receipts')).toBe(3)
    },
  )

  test('is no repetition of itself, if the transaction commits between two look-ups', async ({ database, stores }) => {
    const [store] = await stores(1)
    const bare = bareDatabase(database)
    let commit = (): void => {}
    const gate = new Promise<void>((resolve) => (commit = resolve))
    let markRecorded = (): void => {}
    const isRecorded = new Promise<void>((resolve) => (markRecorded = resolve))
    const running = store?.transaction(async ({ recordReceipt }) => {
      await recordReceipt(signedReceipt('one', 'body', { disposition: 'inline' }))
      markRecorded()
      await gate
    })
    await isRecorded
    let statements = 0
    const query: Database['query'] = async (text, values) => {
      const rows = await bare.query(text, values)
      statements += 1
      // After the insert and the look-up by id, before the one by body.
      if (statements === 2) commit()
      if (statements === 2) await running
      return rows as never
    }

    const recorded = await recordReceipts({ ...bare, query }, [
      signedReceipt('one', 'body', { whenRepeated: 'duplicate' }),
    ])

    expect(recorded).toEqual([
      { kind: 'duplicate', receiptId: expect.any(String), status: 'processed', isMutated: false },
    ])
  })

  test('does not hold up those that repeat it once it is known', async ({ database, stores }) => {
    const [one, other] = await stores(2)
    await one?.recordReceipts([signedReceipt('one', 'body')])

    await one?.transaction(async (transaction) => {
      await transaction.recordReceipt(signedReceipt('two', 'body', { disposition: 'inline' }))
      const third = await other?.transaction(({ recordReceipt }) => recordReceipt(signedReceipt('three', 'body')))
      expect(third).toMatchObject({ kind: 'first', repeatsEventId: 'one' })
    })

    expect(await count(database, 'receipts')).toBe(3)
  })
})

describe('two batches with the same bodies in different orders', () => {
  test('do not wait for each other, even if each is in the middle of its rows', async ({ database, stores }) => {
    await stores(1)
    const bare = bareDatabase(database)
    const { waiting, open } = await gateBefore(database, ['3', '4'])

    let ended = 0
    const end = (): void => void (ended += 1)
    const batches = [
      recordReceipts(bare, [signedReceipt('1', 'x'), signedReceipt('3', 'y')]),
      recordReceipts(bare, [signedReceipt('2', 'y'), signedReceipt('4', 'x')]),
    ]
    for (const batch of batches) void batch.then(end, end)
    try {
      await until(waiting, (count) => count + ended === 2)
    } finally {
      await open()
    }
    const recorded = await Promise.all(batches)

    expect(unflagged(recorded.flat())).toHaveLength(2)
    expect(recorded.flat().filter(({ kind }) => kind === 'duplicate')).toEqual([])
  })
})

describe('batches that share ids and bodies in different orders', () => {
  test('never wait for each other in a circle', async ({ database, stores }) => {
    await stores(1)
    const plain = bareDatabase(database)
    const numbers = Array.from({ length: 30 }, (_, index) => index)

    for (let round = 0; round < 15; round += 1) {
      const id = (number: number): string => `${round}-${number}`
      const body = (number: number): string => `body ${round} ${number}`
      const batches = [
        numbers.map((number) => signedReceipt(id(number), body(number))),
        numbers.map((number) => signedReceipt(id(number), body(29 - number))),
        numbers.map((number) => signedReceipt(id(29 - number), body((number * 7) % 30))),
        numbers.map((number) => signedReceipt(id(100 + number), body(29 - number))),
      ]
      const recorded = await Promise.all(batches.map((batch) => recordReceipts(plain, batch)))

      const first = recorded.flat().filter(({ kind }) => kind === 'first')
      expect(first.length).toBeGreaterThanOrEqual(30)
      expect(unflagged(recorded.flat()).length).toBeLessThanOrEqual(30)
    }

    const [row] = await database.query<{ copies: number }>(
      `select count(*)::int - count(distinct signed_key)::int as copies from "${database.schema}".receipts where signed_key is not null`,
    )
    expect(row?.copies).toBe(0)
  })
})

describe('recording', () => {
  test('takes one statement, with and without signed bodies, and asks nothing of bodies where ids are signed', async ({
    database,
    stores,
  }) => {
    await stores(1)
    const keysOfBodies: unknown[] = []
    const bare = bareDatabase(database)
    const counting: Database = {
      ...bare,
      query: (text, values) => {
        keysOfBodies.push(values?.[15])
        return bare.query(text, values)
      },
    }

    await recordReceipts(counting, [newReceipt(), newReceipt()])
    await recordReceipts(counting, [signedReceipt('one', 'a'), newReceipt(), signedReceipt('two', 'b')])

    expect(keysOfBodies).toEqual([null, expect.any(Buffer)])
  })

  test('never locks more than a small part of what the database has room for', async ({ database, stores }) => {
    const [store] = await stores(1)
    const { query, schema } = database
    // Held by the one who asks, too: a transaction's locks are counted while it is open.
    await query(`create table "${schema}".locks (number int)`)
    await query(
      `create function "${schema}".count_locks() returns trigger language plpgsql as $$ begin
         insert into "${schema}".locks
         select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid();
         return null;
       end $$`,
    )
    await query(
      `create trigger count_locks after insert on "${schema}".receipts execute function "${schema}".count_locks()`,
    )

    await store?.recordReceipts(Array.from({ length: 300 }, (_, index) => signedReceipt(`${index}`, `body ${index}`)))

    const [row] = await query<{ most: number }>(`select max(number) as most from "${schema}".locks`)
    expect(row?.most).toBe(32)
    expect(await count(database, 'receipts')).toBe(300)
  })
})

/** Asks again for as long as another transaction is at it; every other one in a transaction of its own, as inline events are. */
async function record(store: Store<PgTransaction> | undefined, receipt: NewReceipt, index: number): Promise<Recorded> {
  if (store === undefined) throw new Error('There is no such store.')
  for (;;) {
    const [recorded] =
      index % 2 === 0
        ? await store.recordReceipts([receipt])
        : [await store.transaction(({ recordReceipt }) => recordReceipt(receipt))]
    if (recorded === undefined) throw new Error('There was no answer.')
    if (recorded.kind !== 'busy') return recorded
  }
}

async function rowsWithKey({ query, schema }: TestDatabase): Promise<number> {
  return (await query(`select id from "${schema}".receipts where signed_key is not null`)).length
}
