import { Pool } from 'pg'
import { describe, expect } from 'vitest'
import type { NewReceipt } from '../../src/receipt/receipt.ts'
import type { Database } from '../../src/store/postgres/database.ts'
import { areAlike } from '../../src/store/postgres/insert-alike-receipts.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { recordReceipts } from '../../src/store/postgres/record-receipts.ts'
import type { TestDatabase } from '../support/database.ts'
import { bareDatabase, callingDatabase } from './bare-database.ts'
import { test } from './postgres-stores.ts'
import { groupsOf, idsOf, rowsOf } from './recorded-rows.ts'
import { bodyToStore, newReceipt, signedReceipt } from './store-under-test.ts'

describe('a group of events that are alike', () => {
  test('leaves the rows that it leaves without a function of its own, and has the same answers', async ({
    database,
  }) => {
    const texts: string[] = []
    const alike = await outcomeOf(database, 'alike', callingDatabase(database, texts))
    const general = await outcomeOf(database, 'general', bareDatabase(database))

    expect(texts.filter((text) => text.includes('record_alike'))).toHaveLength(groupsOf('alike').length)
    expect(alike.answers).toEqual(general.answers)
    expect(alike.rows).toEqual(general.rows)
    expect(alike.rows).toHaveLength(9)
  })

  test('is told of copies among them that are known, mutated or being processed', async ({ database }) => {
    const recording = callingDatabase(database)
    const plain = (eventId: string, content = '{}') => newReceipt({ eventId, content })
    const [first] = await recordReceipts(recording, [plain('b'), plain('d')])
    await database.query(
      `update "${database.schema}".queue set leased_by = 'worker', fence = 1, due_at = clock_timestamp() + interval '1 hour'
       where receipt_id = $1::bigint`,
      [first?.receiptId],
    )

    const recorded = await recordReceipts(
      recording,
      ['a', 'b', 'c', 'd'].map((id) => plain(id, id === 'd' ? 'other' : '{}')),
    )

    expect(recorded).toMatchObject([
      { kind: 'first' },
      { kind: 'duplicate', receiptId: first?.receiptId, status: 'processing', isMutated: false },
      { kind: 'first' },
      { kind: 'duplicate', status: 'received', isMutated: true },
    ])
    expect(await idsOf(database, recorded)).toEqual(['a', 'b', 'c', 'd'])
    expect(await counts(database)).toEqual({ receipts: 4, bodies: 4, queue: 4 })
  })

  test('has each id with its event, however the database sorts', async ({ database }) => {
    const name = `${database.schema}_sorted`
    const [server] = await database.query<{ version: number }>(
      `select current_setting('server_version_num')::int as version`,
    )
    // Not the order of bytes, in which capital letters come first.
    const sorting = (server?.version ?? 0) < 150_000 ? '' : `locale_provider icu icu_locale 'und'`
    await database.query(`create database "${name}" template template0 ${sorting}`)
    const pool = new Pool({ connectionString: Object.assign(new URL(database.url), { pathname: name }).href })
    const other: TestDatabase = {
      ...database,
      pool,
      query: async (text, values) => (await pool.query(text, [...(values ?? [])])).rows,
    }
    const store = postgresStore(pool, { schema: database.schema })
    await store.migrate()
    const ids = ['b', 'A', 'a', 'B', '1', '\u00e4', 'z', 'Z']

    const recorded = await recordReceipts(
      callingDatabase(other),
      ids.map((eventId) => newReceipt({ eventId })),
    )

    expect(recorded.every(({ kind }) => kind === 'first')).toBe(true)
    expect(await idsOf(other, recorded)).toEqual(ids)
    await store.close()
    await pool.end()
    await database.query(`drop database "${name}"`)
  })

  test('is first exactly once for each event, when many groups share their events', async ({ database, stores }) => {
    const several = await stores(4)
    const eventIds = Array.from({ length: 40 }, (_, number) => `evt_${number}`)
    const shuffled = (seed: number) => eventIds.toSorted((one, other) => order(one, seed) - order(other, seed))

    const recorded = await Promise.all(
      Array.from({ length: 24 }, async (_, number) =>
        several[number % 4]?.recordReceipts(shuffled(number).map((eventId) => newReceipt({ eventId, content: '{}' }))),
      ),
    )

    const all = recorded.flatMap((group) => group ?? [])
    expect(all).toHaveLength(24 * 40)
    expect(all.filter(({ kind }) => kind === 'first')).toHaveLength(40)
    expect(await counts(database)).toEqual({ receipts: 40, bodies: 40, queue: 40 })
  })

  test('wakes workers of other processes by its commit, once', async ({ database }) => {
    const listener = await database.pool.connect()
    const heard: string[] = []
    listener.on('notification', ({ channel }) => heard.push(channel))
    await listener.query('listen alike_test')

    await recordReceipts({ ...callingDatabase(database), wakeChannel: 'alike_test' }, [newReceipt(), newReceipt()])
    await listener.query('select')
    listener.release(true)

    expect(heard).toEqual(['alike_test'])
  })
})

describe('events are not alike', () => {
  const body = bodyToStore('shared')

  test.for<readonly [string, NewReceipt, NewReceipt]>([
    ['of two sources', newReceipt({ source: 'stripe' }), newReceipt({ source: 'github' })],
    ['of two environments', newReceipt({ environment: 'a' }), newReceipt({ environment: 'b' })],
    ['verified with two secrets', newReceipt({ secretIndex: 0 }), newReceipt({ secretIndex: 1 })],
    ['of which one runs inline', newReceipt(), newReceipt({ disposition: 'inline' })],
    ['of which one is ignored', newReceipt(), newReceipt({ disposition: 'ignored' })],
    ['of which one was adopted', newReceipt(), newReceipt({ adopted: { attempts: 1, delaySeconds: 0, error: 'x' } })],
    ['of which one has an order', newReceipt(), newReceipt({ orderKey: 'in_1' })],
    ['of which one is a part', newReceipt(), newReceipt({ event: { part: '/0' } })],
    ['of which one is remembered for ever', newReceipt(), newReceipt({ isKeyKept: true })],
    ['of which one is known by its body', newReceipt(), signedReceipt('evt_1', 'x')],
    ['that share a body', newReceipt({ body }), newReceipt({ body })],
  ])('%s', ([, one, other]) => {
    expect(areAlike([candidate(one), candidate(other)])).toBe(false)
  })

  test('unless they are', () => {
    expect(areAlike([candidate(newReceipt()), candidate(newReceipt())])).toBe(true)
  })
})

function candidate(receipt: NewReceipt) {
  return { receipt, copyKey: receipt.eventId }
}

async function outcomeOf(
  database: TestDatabase,
  environment: string,
  recording: Database,
): Promise<{ readonly answers: readonly unknown[]; readonly rows: readonly unknown[] }> {
  const answers: unknown[] = []
  for (const group of groupsOf(environment)) {
    const recorded = await recordReceipts(recording, group)
    const ids = await idsOf(database, recorded)
    answers.push(recorded.map((answer, index) => ({ ...answer, receiptId: ids[index] })))
  }
  return { answers, rows: await rowsOf(database, environment) }
}

async function counts({ query, schema }: TestDatabase): Promise<unknown> {
  const [row] = await query(
    `select (select count(*)::int from "${schema}".receipts) as receipts, (select count(*)::int from "${schema}".bodies) as bodies,
       (select count(*)::int from "${schema}".queue) as queue`,
  )
  return row
}

/** The same disorder for the same seed. */
function order(text: string, seed: number): number {
  let mixed = seed
  for (const letter of text) mixed = (Math.imul(mixed, 31) + letter.charCodeAt(0)) | 0
  return Math.imul(mixed, 2_654_435_761) | 0
}
