import { describe, expect } from 'vitest'
import { health } from '../../src/store/postgres/health/health.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { test } from '../support/database.ts'
import { bareDatabase } from './bare-database.ts'
import { plantReceipts } from './describe-health.ts'

describe('how things stand on a large ledger', () => {
  test('is told by short walks, a shorter window and estimates', async ({ database }) => {
    await postgresStore(database.pool, { schema: database.schema }).migrate()
    const { pool, query, schema } = database
    await plantReceipts(database, { source: 'stripe', count: 18_000, from: '20 days', to: '2 days', deliveries: 2 })
    await plantReceipts(database, { source: 'stripe', count: 2000, from: '40 minutes', to: '1 second' })
    // Gaps, as duplicates leave them.
    await query(`delete from "${schema}".receipts where id % 4 = 0`)
    await query(`vacuum analyze "${schema}".receipts`)
    const read = async (): Promise<number> => {
      const client = await pool.connect()
      await client.query('select pg_stat_force_next_flush()')
      const { rows } = await client.query(
        `select (select seq_tup_read from pg_stat_user_tables where schemaname = $1 and relname = 'receipts')::int
           + (select sum(idx_tup_read) from pg_stat_user_indexes where schemaname = $1 and relname = 'receipts')::int as rows`,
        [schema],
      )
      client.release()
      return rows[0].rows
    }
    const before = await read()

    const report = await health(bareDatabase(database), 'test', 500)

    expect(await read()).toBeLessThan(before + 8000)
    expect(report.sources).toMatchObject([{ source: 'stripe', received: 500 }])
    expect(report.windowSeconds).toBeGreaterThan(60)
    expect(report.windowSeconds).toBeLessThan(20 * 60)
    const { baseline } = report.sources[0] ?? { baseline: { deliveries: 0, duplicates: 0 } }
    // Of the week before the window only the sampled part: some of it came twice, and the last forty minutes did not.
    expect(baseline.deliveries).toBeGreaterThan(2000)
    expect(baseline.duplicates / baseline.deliveries).toBeGreaterThan(0.4)
    expect(report.ledger.isEstimate).toBe(true)
    expect(report.ledger.rows).toBeCloseTo(15_000, -3)
    expect(report.ledger.addedLastDay).toBeCloseTo(1500, -2)
  })
})
