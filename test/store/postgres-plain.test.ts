import { Pool } from 'pg'
import { describe, expect } from 'vitest'
import type { NewReceipt } from '../../src/receipt/receipt.ts'
import type { Database } from '../../src/store/postgres/database.ts'
import { isPlain } from '../../src/store/postgres/receipt-columns.ts'
import { recordReceipts } from '../../src/store/postgres/record-receipts.ts'
import type { TestDatabase } from '../support/database.ts'
import { bareDatabase, callingDatabase } from './bare-database.ts'
import { count, test } from './postgres-stores.ts'
import { groupsOf, idsOf, rowsOf } from './recorded-rows.ts'
import { newReceipt, signedReceipt } from './store-under-test.ts'

describe('a plain event that comes alone', () => {
  test('leaves the rows that it leaves in a group, and has the same answers', async ({ database }) => {
    const texts: string[] = []
    const general = await recordEach(database, 'general', { recording: bareDatabase(database), by: 'group' })
    const plain = await recordEach(database, 'plain', { recording: callingDatabase(database, texts), by: 'itself' })
    const digits = { ...bareDatabase(database), takesBinary: false }
    const asText = await recordEach(database, 'digits', { recording: digits, by: 'itself' })

    expect(texts.filter((text) => text.includes('record_plain'))).toHaveLength(groupsOf('plain').flat().length)
    expect([plain, asText]).toEqual([general, general])
    expect(general.rows).toHaveLength(9)
  })

  test('stands there as processed with one attempt if its handlers run before the answer', async ({ database }) => {
    const receipt = newReceipt({ disposition: 'inline', eventId: 'evt_1' })

    const [recorded] = await recordReceipts(callingDatabase(database), [receipt], { locking: 'events' })

    expect(recorded?.kind).toBe('first')
    expect(
      await database.query(
        `select status, attempts, processed_at is not null as is_processed, failed_at from "${database.schema}".receipts`,
      ),
    ).toEqual([{ status: 'processed', attempts: 1, is_processed: true, failed_at: null }])
    expect([await count(database, 'bodies'), await count(database, 'queue')]).toEqual([1, 0])
  })

  test('shares its body with another event of its delivery', async ({ database }) => {
    const one = newReceipt({ eventId: 'evt_1' })
    const other: NewReceipt = { ...newReceipt({ eventId: 'evt_2' }), body: one.body }

    const first = await recordReceipts(callingDatabase(database), [one])
    const second = await recordReceipts(callingDatabase(database), [other])

    expect([first, second]).toMatchObject([[{ kind: 'first' }], [{ kind: 'first' }]])
    expect([await count(database, 'receipts'), await count(database, 'bodies')]).toEqual([2, 1])
  })

  test('is busy while another transaction runs it, and a duplicate if it is recorded all the same', async ({
    database,
    stores,
  }) => {
    const [store] = await stores(1)
    const receipt = newReceipt({ disposition: 'inline' })
    const inline = () => recordReceipts(callingDatabase(database), [receipt], { locking: 'events' })

    const whileRunning = await store?.transaction(async ({ recordReceipt }) => {
      await recordReceipt(receipt)
      return inline()
    })
    const afterwards = await inline()

    expect(whileRunning).toEqual([{ kind: 'busy' }])
    expect(afterwards).toMatchObject([{ kind: 'duplicate', status: 'processed', isMutated: false }])
    expect(await count(database, 'receipts')).toBe(1)
  })

  test('wakes workers of other processes by its commit, unless it is done before the answer', async ({ database }) => {
    const listener = await database.pool.connect()
    const heard: (string | undefined)[] = []
    listener.on('notification', ({ channel }) => heard.push(channel))
    await listener.query('listen plain_test')
    const recording = { ...callingDatabase(database), wakeChannel: 'plain_test' }

    await recordReceipts(recording, [newReceipt({ disposition: 'inline' })])
    await listener.query('select')
    const inline = [...heard]
    await recordReceipts(recording, [newReceipt()])
    await listener.query('select')
    listener.release(true)

    expect([inline, heard]).toEqual([[], ['plain_test']])
  })

  test('is recorded the same way whatever else has the names of functions and operators', async ({ database }) => {
    const { schema, query } = database
    const hostile = `${schema}_hostile`
    await query(`create schema "${hostile}"`)
    for (const name of ['now', 'clock_timestamp']) {
      await query(
        `create function "${hostile}".${name}() returns timestamptz language sql as $$ select timestamptz '1999-01-01' $$`,
      )
    }
    await query(`create function "${hostile}".concat(text, bigint) returns text language sql as $$ select 'nothing' $$`)
    await query(`create function "${hostile}".same(text, text) returns boolean language sql as $$ select true $$`)
    await query(`create operator "${hostile}".= (leftarg = text, rightarg = text, function = "${hostile}".same)`)
    const pool = new Pool({
      connectionString: database.url,
      options: `-c search_path="${hostile}",pg_catalog`,
    })
    const path = (await pool.query("select current_setting('search_path') as path")).rows[0].path

    const [recorded] = await recordReceipts(callingDatabase({ ...database, pool }), [newReceipt()])

    expect(path).toContain(hostile)
    expect(recorded?.kind).toBe('first')
    expect(
      await query(
        `select receipts.status, stored_on > current_date - 2 as is_of_today, due_at > now() - interval '1 day' as is_due_today
         from "${schema}".receipts join "${schema}".bodies on bodies.id = body_id join "${schema}".queue on receipt_id = receipts.id`,
      ),
    ).toEqual([{ status: 'received', is_of_today: true, is_due_today: true }])
    await pool.end()
    await query(`drop schema "${hostile}" cascade`)
  })
})

describe('an event is not plain', () => {
  test.for<readonly [string, NewReceipt]>([
    ['that is ignored', newReceipt({ disposition: 'ignored' })],
    ['that has failed for good', newReceipt({ disposition: 'failed' })],
    ['that was adopted', newReceipt({ adopted: { attempts: 1, delaySeconds: 0, error: 'x' } })],
    ['that has an order', newReceipt({ orderKey: 'in_1' })],
    ['that is a part', newReceipt({ event: { part: '/0' } })],
    ['that is remembered for ever', newReceipt({ isKeyKept: true })],
    ['that is known by its body', signedReceipt('evt_1', 'x')],
  ])('%s', ([, receipt]) => {
    expect(isPlain({ receipt, copyKey: receipt.eventId })).toBe(false)
  })

  test('that repeats the body of another', () => {
    expect(isPlain({ receipt: newReceipt(), copyKey: 'evt_1', repeatsEventId: 'evt_0' })).toBe(false)
  })
})

/** Records the same events, in groups or one after another, and answers with all that came of it. */
async function recordEach(
  database: TestDatabase,
  environment: string,
  { recording, by }: { readonly recording: Database; readonly by: 'group' | 'itself' },
): Promise<{ readonly answers: readonly unknown[]; readonly rows: readonly unknown[] }> {
  const groups = groupsOf(environment)
  const answers: unknown[] = []
  for (const group of by === 'group' ? groups : groups.flat().map((receipt) => [receipt])) {
    const recorded = await recordReceipts(recording, group)
    const ids = await idsOf(database, recorded)
    for (const [index, answer] of recorded.entries()) answers.push({ ...answer, receiptId: ids[index] })
  }
  return { answers, rows: await rowsOf(database, environment) }
}
