import { Pool } from 'pg'
import { describe, expect } from 'vitest'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
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
})
