import { Pool } from 'pg'
import { describe, expect } from 'vitest'
import type { EventKey, Recorded } from '../../src/receipt/receipt.ts'
import { findKnown } from '../../src/store/postgres/find-known.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { recordReceipts } from '../../src/store/postgres/record-receipts.ts'
import { bareDatabase } from './bare-database.ts'
import { test } from './postgres-test.ts'
import { claimRequest, handlerRun, newReceipt } from './store-under-test.ts'

describe('plans that were made while the tables were empty', () => {
  test('read no more of a long queue and a long ledger than they are asked for', async ({ database }) => {
    const { schema } = database
    // One connection, which keeps its plans and can be asked for its counts.
    const pool = new Pool({ connectionString: database.url, max: 1 })
    const store = postgresStore(pool, { schema })
    let recorded = 0
    const record = async (count: number, disposition: 'queued' | 'inline' = 'queued'): Promise<readonly string[]> => {
      const receipts = Array.from({ length: count }, () => {
        recorded += 1
        return newReceipt({ eventId: `evt_${recorded}`, disposition })
      })
      const results = await store.recordReceipts(receipts)
      return results.flatMap((one) => (one.kind === 'first' ? [one.receiptId] : []))
    }
    const workOff = async (limit: number): Promise<number> => {
      const claims = await store.claim(claimRequest({ limit }))
      const completed = claims.map(({ lease }) => ({ lease, run: handlerRun(), ending: 'processed' as const }))
      await store.transaction((transaction) => transaction.finishReceipts(completed))
      return claims.length
    }
    const finishInline = async (count: number): Promise<void> => {
      const ids = await record(count, 'inline')
      const completed = ids.map((receiptId) => ({
        receiptId,
        key: newReceipt(),
        run: handlerRun(),
        ending: 'processed' as const,
      }))
      await store.transaction((transaction) => transaction.finishInlines(completed))
    }
    const entriesRead = async (): Promise<number> => {
      await pool.query('select pg_stat_force_next_flush()')
      const { rows } = await pool.query<{ count: string }>(
        'select sum(idx_tup_read) as count from pg_stat_user_indexes where schemaname = $1',
        [schema],
      )
      return Number(rows[0]?.count)
    }

    // Known as long, and then empty: what the planner believes of them is wrong in both ways.
    for (let more = 0; more < 5; more += 1) await record(400)
    while ((await workOff(400)) > 0);
    await pool.query('analyze')
    await pool.query(`truncate "${schema}".receipts, "${schema}".bodies, "${schema}".queue, "${schema}".attempts`)
    await record(2)
    await workOff(2)
    await finishInline(2)
    for (let more = 0; more < 8; more += 1) await record(400)

    const before = await entriesRead()
    await workOff(20)
    const afterWork = await entriesRead()
    await finishInline(20)
    const afterInline = await entriesRead()

    expect(afterWork - before).toBeLessThan(400)
    expect(afterInline - afterWork).toBeLessThan(400)
    await pool.end()
  })

  test('look up each key that is asked for or comes again, however long the ledger has become', async ({
    database,
  }) => {
    const { schema } = database
    const pool = new Pool({ connectionString: database.url, max: 1 })
    const asking = bareDatabase({ ...database, pool })
    const keys = (from: number, count: number): readonly EventKey[] =>
      Array.from({ length: count }, (_, index) => newReceipt({ eventId: `evt_${from + index}` }))
    const rowsRead = async (): Promise<number> => {
      await pool.query('select pg_stat_force_next_flush()')
      const { rows } = await pool.query<{ count: string }>(
        `select sum(seq_tup_read) + sum(idx_tup_fetch) + (
           select sum(idx_tup_read) from pg_stat_user_indexes where schemaname = $1
         ) as count from pg_stat_user_tables where schemaname = $1`,
        [schema],
      )
      return Number(rows[0]?.count)
    }

    const record = (receipts: readonly EventKey[]): Promise<readonly Recorded[]> =>
      recordReceipts(
        asking,
        receipts.map(({ eventId }) => newReceipt({ eventId })),
      )

    await pool.query('analyze')
    await findKnown(asking, keys(0, 20))
    await record(keys(0, 2))
    await record(keys(0, 2))
    for (let from = 0; from < 3200; from += 400) await record(keys(from, 400))
    const before = await rowsRead()
    const found = await findKnown(asking, keys(3190, 20))
    const afterQuestion = await rowsRead()
    const copies = await record(keys(3180, 20))
    const afterCopies = await rowsRead()

    expect([...found.keys()]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(new Set(copies.map(({ kind }) => kind))).toEqual(new Set(['duplicate']))
    expect(afterQuestion - before).toBeLessThan(100)
    expect(afterCopies - afterQuestion).toBeLessThan(200)
    await pool.end()
  })
})
