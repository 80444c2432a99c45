import { Pool } from 'pg'
import { describe, expect } from 'vitest'
import { type PgTransaction, postgresStore } from '../../src/store/postgres/postgres-store.ts'
import type { Claim, Store } from '../../src/store/store.ts'
import { test as base, type TestDatabase } from '../support/database.ts'
import { claimRequest, codeOf, handlerRun, limits, newReceipt } from './store-under-test.ts'

type Stores = (count: number) => Promise<readonly Store<PgTransaction>[]>

/** Several stores on one schema, each with a pool of its own, as several processes would have. */
const test = base.extend<{ readonly stores: Stores }>({
  stores: async ({ database }, use) => {
    const made: Store<PgTransaction>[] = []
    await use(async (count) => {
      const stores = Array.from({ length: count }, () =>
        postgresStore(database.url, { schema: database.schema, maximumConnections: 5 }),
      )
      made.push(...stores)
      await stores[0]?.migrate()
      return stores
    })
    await Promise.all(made.map((store) => store.close()))
  },
})

async function count({ query, schema }: TestDatabase, table: string): Promise<number> {
  const [row] = await query<{ count: number }>(`select count(*)::int as count from "${schema}".${table}`)
  return row?.count ?? -1
}

describe('one event, recorded many times at once', () => {
  test('is first exactly once, with one body and one queue row', async ({ database, stores }) => {
    const several = await stores(4)

    for (let round = 0; round < 10; round += 1) {
      const eventId = `evt_${round}`
      const recorded = await Promise.all(
        Array.from({ length: 20 }, (_, index) => several[index % 4]?.recordReceipts([newReceipt({ eventId })])),
      )
      expect(recorded.flatMap((one) => one ?? []).filter(({ kind }) => kind === 'first')).toHaveLength(1)
    }

    expect(await count(database, 'receipts')).toBe(10)
    expect(await count(database, 'bodies')).toBe(10)
    expect(await count(database, 'queue')).toBe(10)
  })

  test('is run inline by one transaction at a time, and the others are told at once', async ({ database, stores }) => {
    const [one, other] = await stores(2)
    const receipt = newReceipt({ disposition: 'inline' })

    await one?.transaction(async (transaction) => {
      expect(await transaction.tryLockEvent(receipt)).toBe(true)
      expect(await other?.transaction((second) => second.tryLockEvent(receipt))).toBe(false)
      expect(await other?.transaction((second) => second.tryLockEvent(newReceipt()))).toBe(true)
    })

    expect(await other?.transaction((second) => second.tryLockEvent(receipt))).toBe(true)
    expect(await count(database, 'receipts')).toBe(0)
  })

  test('is taken over by a copy that waited, when the first one rolls back', async ({ database, stores }) => {
    const [one, other] = await stores(2)
    const receipt = newReceipt({ eventId: 'evt_1', disposition: 'inline' })
    let waiting: Promise<readonly { readonly kind: string }[]> | undefined

    const failing = one?.transaction(async (transaction) => {
      await transaction.recordReceipt(receipt)
      waiting = other?.recordReceipts([newReceipt({ eventId: 'evt_1' })])
      throw new Error('boom')
    })

    await expect(failing).rejects.toThrow('boom')
    expect((await waiting)?.[0]?.kind).toBe('first')
    expect(await count(database, 'queue')).toBe(1)
  })
})

describe('batches that share keys in different orders', () => {
  test('never wait for each other in a circle', async ({ database, stores }) => {
    const several = await stores(4)
    const ids = Array.from({ length: 200 }, (_, index) => `evt_${index}`)
    // A conflict would be retried and so go unseen: the database is asked how many it had.
    const deadlocks = async (): Promise<unknown> =>
      database.query('select deadlocks from pg_stat_database where datname = current_database()')
    await database.query('select pg_stat_force_next_flush()')
    const before = await deadlocks()

    for (let round = 0; round < 8; round += 1) {
      const keys = ids.map((id) => `${round}-${id}`)
      const recorded = await Promise.all(
        several.map((store, index) => {
          const shuffled = index % 2 === 0 ? keys : keys.toReversed()
          return store.recordReceipts(shuffled.map((eventId) => newReceipt({ eventId })))
        }),
      )
      expect(recorded.flat().filter(({ kind }) => kind === 'first')).toHaveLength(ids.length)
    }

    expect(await deadlocks()).toEqual(before)
    expect(await count(database, 'receipts')).toBe(8 * ids.length)
  })
})

describe('many workers that claim at once', () => {
  test('get every event exactly once', async ({ database, stores }) => {
    const several = await stores(8)
    await several[0]?.recordReceipts(Array.from({ length: 500 }, () => newReceipt()))

    const claims = (await Promise.all(several.map((store, index) => claimAll(store, `worker-${index}`)))).flat()

    expect(claims).toHaveLength(500)
    expect(new Set(claims.map(({ lease }) => lease.receiptId)).size).toBe(500)
    expect(new Set(claims.map(({ lease }) => lease.fence)).size).toBe(500)
    expect(claims.every(({ attempt }) => attempt === 1)).toBe(true)
    expect(await count(database, 'attempts')).toBe(0)
  })

  test('do not wait for a worker that is in the middle of claiming', async ({ database, stores }) => {
    const [store] = await stores(1)
    await store?.recordReceipts([newReceipt({ eventId: 'a' }), newReceipt({ eventId: 'b' })])
    const client = await database.pool.connect()
    await client.query('begin')
    await client.query(
      `select receipt_id from "${database.schema}".queue where receipt_id = (select min(receipt_id) from "${database.schema}".queue) for update`,
    )

    const claims = await store?.claim(claimRequest())

    expect(claims).toHaveLength(1)
    await client.query('rollback')
    client.release()
  })

  test('never hold two events of one order key, and finish them in order', async ({ database, stores }) => {
    const several = await stores(6)
    const receipts = Array.from({ length: 60 }, (_, index) => newReceipt({ orderKey: `customer ${index % 3}` }))
    for (const receipt of receipts) await several[0]?.recordReceipts([receipt])
    const finished: Claim[] = []
    const holders = new Map<string, string>()
    const orderKeys = new Map(receipts.map(({ eventId, orderKey }) => [eventId, orderKey ?? '']))

    const work = async (store: Store<PgTransaction>, worker: string): Promise<void> => {
      while (finished.length < receipts.length) {
        for (const claim of await store.claim(claimRequest({ worker, limit: 5 }))) {
          const key = orderKeys.get(claim.eventId) ?? ''
          expect(holders.get(key)).toBeUndefined()
          holders.set(key, claim.eventId)
          await store.transaction(async (transaction) => {
            holders.delete(key)
            finished.push(claim)
            expect(await transaction.completeReceipt(claim.lease, handlerRun())).toBe(true)
          })
        }
      }
    }
    await Promise.all(several.map((store, index) => work(store, `worker-${index}`)))

    for (const customer of ['customer 0', 'customer 1', 'customer 2']) {
      const ids = finished
        .filter(({ eventId }) => orderKeys.get(eventId) === customer)
        .map(({ lease }) => Number(lease.receiptId))
      expect(ids).toEqual(ids.toSorted((one, other) => one - other))
    }
    expect(await count(database, 'queue')).toBe(0)
  })
})

describe('a worker that was frozen past its lease', () => {
  test('cannot finish what another has taken over, so that the effect happens once', async ({ database, stores }) => {
    const [frozen, other] = await stores(2)
    await database.query(`create table "${database.schema}".effects (worker text not null)`)
    await frozen?.recordReceipts([newReceipt()])
    const process = async (store: Store<PgTransaction>, claim: Claim, worker: string, pause?: () => Promise<void>) =>
      store.transaction(async (transaction) => {
        await transaction.runHandler(async (tx) => {
          await tx.query(`insert into "${database.schema}".effects (worker) values ($1)`, [worker])
          await pause?.()
        }, limits())
        if (!(await transaction.completeReceipt(claim.lease, handlerRun()))) throw new Error('lease lost')
      })
    const [first] = (await frozen?.claim(claimRequest({ leaseSeconds: 0.001 }))) ?? []
    if (frozen === undefined || other === undefined || first === undefined) throw new Error('nothing was claimed')

    const late = process(frozen, first, 'frozen', async () => {
      const [second] = await other.claim(claimRequest({ worker: 'other' }))
      if (second === undefined) throw new Error('the lease had not run out')
      await process(other, second, 'other')
    })

    await expect(late).rejects.toThrow('lease lost')
    expect(await database.query(`select worker from "${database.schema}".effects`)).toEqual([{ worker: 'other' }])
  })
})

describe('a replay', () => {
  test('asked for twice at once puts the event back once', async ({ database, stores }) => {
    const several = await stores(4)
    await several[0]?.recordReceipts([newReceipt({ disposition: 'failed' })])

    const answers = await Promise.all(several.map((store) => store.replay('test', {}, { by: 'ada', why: 'mended' })))

    expect(answers.flat()).toHaveLength(1)
    expect(await count(database, 'queue')).toBe(1)
    expect(await count(database, 'replays')).toBe(1)
  })
})

describe('migrating', () => {
  test('is done once when ten stores with pools of their own start together', async ({ database }) => {
    const pools = Array.from({ length: 10 }, () => new Pool({ connectionString: database.url, max: 1 }))

    const reports = await Promise.all(pools.map((pool) => postgresStore(pool, { schema: database.schema }).migrate()))

    expect(reports.filter(({ from }) => from === 0)).toHaveLength(1)
    expect(await count(database, 'migrations')).toBe(1)
    await Promise.all(pools.map((pool) => pool.end()))
  })

  test('creates a schema that does not exist yet, and again as text', async ({ database }) => {
    const schema = `${database.schema}_new`
    const store = postgresStore(database.pool, { schema })

    expect(await store.migrate()).toEqual({ from: 0, to: 1 })
    await database.query(`drop schema "${schema}" cascade`)
    await database.pool.query(store.migrationSql())

    expect(await store.migrate()).toEqual({ from: 1, to: 1 })
    await database.query(`drop schema "${schema}" cascade`)
  })

  test('goes on with tables that are newer, unless they say that they break older code', async ({
    database,
    stores,
  }) => {
    const [store] = await stores(1)
    const insert = `insert into "${database.schema}".migrations (version, name, is_breaking) values ($1, 'later', $2)`

    await database.query(insert, [2, false])
    expect(await store?.migrate()).toEqual({ from: 2, to: 2 })
    await database.query(insert, [3, true])

    expect(await codeOf(store?.migrate() ?? Promise.resolve())).toBe('ONCEHOOK_SCHEMA_NEWER')
  })
})

async function claimAll(store: Store<PgTransaction>, worker: string): Promise<readonly Claim[]> {
  const all: Claim[] = []
  for (;;) {
    const claims = await store.claim(claimRequest({ worker, limit: 7 }))
    if (claims.length === 0) return all
    all.push(...claims)
  }
}
