import { describe, expect } from 'vitest'
import type { Recorded } from '../../src/receipt/receipt.ts'
import { createPgClient } from '../../src/store/postgres/clients/pg-client.ts'
import type { PgTransaction } from '../../src/store/postgres/postgres-store.ts'
import { recordReceipts } from '../../src/store/postgres/record-receipts.ts'
import { quotedSchema } from '../../src/store/postgres/schema-name.ts'
import type { Claim, Store } from '../../src/store/store.ts'
import { until } from '../support/until.ts'
import { messageToAdd } from './describe-effects.ts'
import { count, test } from './postgres-stores.ts'
import { claimRequest, handlerRun, limits, newReceipt } from './store-under-test.ts'

const isWaitingSql = "select pid from pg_stat_activity where wait_event_type = 'Lock' and query like $1"

describe('one event, recorded many times at once', () => {
  test('is first exactly once, with one body and one queue row', async ({ database, stores }) => {
    const several = await stores(4)

    for (let round = 0; round < 10; round += 1) {
      const eventId = `evt_${round}`
      const recorded = await Promise.all(Array.from({ length: 20 }, (_, index) => record(several[index % 4], eventId)))
      expect(recorded.flat().filter(({ kind }) => kind === 'first')).toHaveLength(1)
    }

    expect(await count(database, 'receipts')).toBe(10)
    expect(await count(database, 'bodies')).toBe(10)
    expect(await count(database, 'queue')).toBe(10)
  })

  test('is run inline by one transaction at a time, and the others are told at once', async ({ database, stores }) => {
    const [one, other] = await stores(2)
    const receipt = newReceipt({ disposition: 'inline' })

    const kindBy = async (store: typeof one, copy: typeof receipt): Promise<string | undefined> =>
      (await store?.transaction((transaction) => transaction.recordReceipt(copy)))?.kind

    const rolledBack = one?.transaction(async (transaction) => {
      expect((await transaction.recordReceipt(receipt)).kind).toBe('first')
      expect(await kindBy(other, receipt)).toBe('busy')
      expect(await kindBy(other, newReceipt({ disposition: 'inline' }))).toBe('first')
      throw new Error('rolled back')
    })

    await expect(rolledBack).rejects.toThrow('rolled back')
    expect(await kindBy(other, receipt)).toBe('first')
    expect(await count(database, 'receipts')).toBe(2)
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
    await stores(1)
    // Without the store around it, which would send a statement again that lost.
    const client = createPgClient({
      pool: async () => database.pool,
      poolSize: 5,
      connectionTimeoutSeconds: 10,
      statementTimeoutSeconds: 30,
      close: async () => {},
    })
    const schema = quotedSchema(database.schema)
    const ids = Array.from({ length: 200 }, (_, index) => `evt_${index}`)

    for (let round = 0; round < 8; round += 1) {
      const keys = ids.map((id) => `${round}-${id}`)
      const recorded = await Promise.all(
        [keys, keys.toReversed(), keys, keys.toReversed()].map((order) =>
          recordReceipts(
            { query: client.query, schema, takesBinary: true, wakeChannel: undefined },
            order.map((eventId) => newReceipt({ eventId })),
          ),
        ),
      )
      expect(recorded.flat().filter(({ kind }) => kind === 'first')).toHaveLength(ids.length)
    }

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

    const claims = await store?.claim(claimRequest()).finally(() => client.release(true))

    expect(claims).toHaveLength(1)
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

describe('two claims of one order key in the same moment', () => {
  test('end with one lease, although each sees an event that nobody holds', async ({ database, stores }) => {
    const [store] = await stores(1)
    const { pool, schema, query } = database
    for (const eventId of ['a', 'b']) await store?.recordReceipts([newReceipt({ eventId, orderKey: 'customer 1' })])
    const other = await pool.connect()
    await other.query('begin')
    await other.query(
      `update "${schema}".queue set leased_by = 'other', fence = 1000, due_at = clock_timestamp() + interval '1 hour'
       where receipt_id = (select max(receipt_id) from "${schema}".queue)`,
    )

    let hasClaimed = false
    const claiming = store?.claim(claimRequest()).finally(() => {
      hasClaimed = true
    })
    await until(
      () => query(isWaitingSql, [`%${schema}%`]),
      (rows) => hasClaimed || rows.length > 0,
    )
    await other.query('commit')
    other.release()

    expect(await claiming).toEqual([])
    expect(await query(`select leased_by from "${schema}".queue where leased_by is not null`)).toEqual([
      { leased_by: 'other' },
    ])
  })
})

describe('a worker that was frozen past its lease', () => {
  test('cannot finish what another has taken over, so that the effect happens once', async ({ database, stores }) => {
    const [frozen, other] = await stores(2)
    await database.query(`create table "${database.schema}".app_effects (worker text not null)`)
    await frozen?.recordReceipts([newReceipt()])
    const process = async (store: Store<PgTransaction>, claim: Claim, worker: string, pause?: () => Promise<void>) =>
      store.transaction(async (transaction) => {
        await transaction.runHandler(async (tx) => {
          await tx.query(`insert into "${database.schema}".app_effects (worker) values ($1)`, [worker])
          await pause?.()
        }, limits())
        if (!(await transaction.completeReceipt(claim.lease, handlerRun()))) throw new Error('lease lost')
      })
    const [first] = (await frozen?.claim(claimRequest({ leaseSeconds: 0.001 }))) ?? []
    if (frozen === undefined || other === undefined || first === undefined) throw new Error('nothing was claimed')

    let second: Claim | undefined
    const late = process(frozen, first, 'frozen', async () => {
      ;[second] = await other.claim(claimRequest({ worker: 'other' }))
    })
    await expect(late).rejects.toThrow('lease lost')
    if (second === undefined) throw new Error('the lease had not run out')
    await process(other, second, 'other')

    expect(await database.query(`select worker from "${database.schema}".app_effects`)).toEqual([{ worker: 'other' }])
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

async function record(store: Store<PgTransaction> | undefined, eventId: string): Promise<readonly Recorded[]> {
  return (await store?.recordReceipts([newReceipt({ eventId })])) ?? []
}

async function claimAll(store: Store<PgTransaction>, worker: string): Promise<readonly Claim[]> {
  const all: Claim[] = []
  for (;;) {
    const claims = await store.claim(claimRequest({ worker, limit: 7 }))
    if (claims.length === 0) return all
    all.push(...claims)
  }
}

describe('many relays at once', () => {
  test('get every message exactly once', async ({ stores }) => {
    const several = await stores(8)
    await several[0]?.transaction(async ({ effects }) => {
      for (let number = 0; number < 400; number += 1) await effects().addMessage(messageToAdd({ key: `key_${number}` }))
    })

    const claimed: string[] = []
    const work = async (store: Store<PgTransaction>): Promise<void> => {
      for (;;) {
        const batch = await store.outbox.claim({
          environment: 'test',
          target: 'email',
          worker: 'relay',
          limit: 7,
          leaseSeconds: 30,
        })
        if (batch.length === 0) return
        claimed.push(...batch.map(({ message }) => message.idempotencyKey))
        await store.outbox.publish(batch.map(({ lease }) => lease))
      }
    }
    await Promise.all(several.map(work))

    expect(claimed).toHaveLength(400)
    expect(new Set(claimed).size).toBe(400)
  })

  test('do not skip a message whose transaction commits late', async ({ database, stores }) => {
    const [store] = await stores(1)
    const slow = await database.pool.connect()
    const insert = `insert into "${database.schema}".outbox (environment, target, key, message, receipt_id, source, event_id, due_at)
      values ('test', 'email', $1, '{}', 1, 'stripe', 'evt', clock_timestamp())`
    await slow.query('begin')
    await slow.query(insert, ['early id, late commit'])
    await database.query(insert, ['late id, early commit'])
    const request = { environment: 'test', target: 'email', worker: 'relay', limit: 10, leaseSeconds: 30 }

    const before = await store?.outbox.claim(request)
    await slow.query('commit')
    slow.release()
    const after = await store?.outbox.claim(request)

    expect(before?.map(({ message }) => message.idempotencyKey)).toEqual(['late id, early commit'])
    expect(after?.map(({ message }) => message.idempotencyKey)).toEqual(['early id, late commit'])
  })
})
