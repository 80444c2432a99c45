import { describe, expect } from 'vitest'
import { allMigrations } from '../../src/store/postgres/migrations/all-migrations.ts'
import { bodyToStore, type MakeStore, newReceipt } from './store-under-test.ts'
import { testWithStore } from './test-with-store.ts'

/** migrate, recordReceipts, readBody. */
export function describeRecording<Tx>(makeStore: MakeStore<Tx>): void {
  const test = testWithStore(makeStore)

  describe('migrating', () => {
    test('a second time changes nothing', async ({ subject }) => {
      const report = await subject.store.migrate()

      expect(report.from).toBe(report.to)
      expect(await subject.query(`select version from "${subject.schema}".migrations`)).toHaveLength(
        allMigrations.length,
      )
    })

    test('is printed as text that names every table', ({ subject }) => {
      const text = subject.store.migrationSql()

      for (const table of ['receipts', 'bodies', 'queue', 'completions', 'attempts', 'deliveries', 'replays']) {
        expect(text).toContain(`create table "${subject.schema}".${table} (`)
      }
    })

    test('prepares a place for the bodies of today and the next days', async ({ subject }) => {
      const partitions = await subject.query(
        `select inhrelid::regclass::text as name from pg_inherits where inhparent = '"${subject.schema}".bodies'::regclass`,
      )

      expect(partitions).toHaveLength(5)
    })

    test('leaves bodies alone that came before their day had a place', async ({ subject }) => {
      const { store, schema, query } = subject
      const [today] = await query<{ name: string }>(
        `select 'bodies_' || to_char(clock_timestamp() at time zone 'UTC', 'YYYYMMDD') as name`,
      )
      await query(`drop table "${schema}".${today?.name}`)
      await store.recordReceipts([newReceipt({ eventId: 'evt_1', content: 'kept' })])

      await store.migrate()

      expect(await query(`select convert_from(content, 'UTF8') as content from "${schema}".bodies`)).toEqual([
        { content: 'kept' },
      ])
    })
  })

  describe('recording', () => {
    test('writes a receipt, its body and its queue row', async ({ subject }) => {
      const { store, schema, query } = subject
      const occurredAt = new Date('2024-02-29T12:00:00.123Z')

      const [recorded] = await store.recordReceipts([
        newReceipt({
          eventId: 'evt_1',
          event: { objectId: 'in_1', deliveryId: 'd_1', occurredAt, part: '/0' },
          secretIndex: 1,
        }),
      ])

      expect(recorded?.kind).toBe('first')
      expect(
        await query(
          `select id::text, environment, source, event_id, type, object_id, delivery_id, part, secret_index, status, attempts, deliveries
           from "${schema}".receipts`,
        ),
      ).toEqual([
        {
          id: recorded?.receiptId,
          environment: 'test',
          source: 'stripe',
          event_id: 'evt_1',
          type: 'invoice.paid',
          object_id: 'in_1',
          delivery_id: 'd_1',
          part: '/0',
          secret_index: 1,
          status: 'received',
          attempts: 0,
          deliveries: 1,
        },
      ])
      expect(await query(`select receipt_id::text as id, attempts, leased_by from "${schema}".queue`)).toEqual([
        { id: recorded?.receiptId, attempts: 0, leased_by: null },
      ])
      expect(await query(`select count(*)::int as count from "${schema}".bodies`)).toEqual([{ count: 1 }])
    })

    test('tells a copy that it is a duplicate, and writes nothing for it', async ({ subject }) => {
      const { store, schema, query } = subject
      const [first] = await store.recordReceipts([newReceipt({ eventId: 'evt_1' })])

      const [second] = await store.recordReceipts([newReceipt({ eventId: 'evt_1' })])

      expect(second).toEqual({ kind: 'duplicate', receiptId: first?.receiptId, status: 'received', isMutated: false })
      expect(
        await query(
          `select (select count(*)::int from "${schema}".receipts) as receipts, (select count(*)::int from "${schema}".queue) as queue,
             (select count(*)::int from "${schema}".bodies) as bodies`,
        ),
      ).toEqual([{ receipts: 1, queue: 1, bodies: 1 }])
    })

    test('notices that a copy has other bytes', async ({ subject }) => {
      await subject.store.recordReceipts([newReceipt({ eventId: 'evt_1', content: 'one' })])

      const [second] = await subject.store.recordReceipts([newReceipt({ eventId: 'evt_1', content: 'other' })])

      expect(second).toMatchObject({ kind: 'duplicate', isMutated: true })
    })

    test('answers a storm of copies as it answers single ones, whatever their ids hold', async ({ subject }) => {
      const { store, schema, query } = subject
      const endings = ['', ' "quoted"', ' {a,b}', " it's", ' \\back', ' null', ' größer €', '\n']
      const copies = () =>
        Array.from({ length: 80 }, (_, index) => newReceipt({ eventId: `${index}${endings[index % 8]}` }))
      const first = await store.recordReceipts(copies())

      // By the third time most of what came was known.
      for (let more = 0; more < 3; more += 1) {
        expect(await store.recordReceipts(copies())).toEqual(
          first.map((one) => ({ ...one, kind: 'duplicate', status: 'received', isMutated: false })),
        )
      }
      const last = await store.recordReceipts([newReceipt({ eventId: 'new' }), ...copies()])

      expect(last.map(({ kind }) => kind)).toEqual(['first', ...copies().map(() => 'duplicate')])
      expect(await query(`select id from "${schema}".receipts`)).toHaveLength(81)
    })

    test('answers in the order given, with one first for each key of a batch', async ({ subject }) => {
      const { store, schema, query } = subject
      await store.recordReceipts([newReceipt({ eventId: 'b' })])
      const ids = ['c', 'b', 'a', 'c', 'a']

      const recorded = await store.recordReceipts(ids.map((eventId) => newReceipt({ eventId })))

      expect(recorded.map(({ kind }) => kind)).toEqual(['first', 'duplicate', 'first', 'duplicate', 'duplicate'])
      expect(recorded[3]?.receiptId).toBe(recorded[0]?.receiptId)
      expect(recorded[4]?.receiptId).toBe(recorded[2]?.receiptId)
      expect(await query(`select event_id from "${schema}".receipts order by event_id`)).toEqual(
        ['a', 'b', 'c'].map((event_id) => ({ event_id })),
      )
    })

    test('keeps events of other sources and environments apart', async ({ subject }) => {
      const recorded = await subject.store.recordReceipts([
        newReceipt({ eventId: 'evt_1' }),
        newReceipt({ eventId: 'evt_1', source: 'github' }),
        newReceipt({ eventId: 'evt_1', environment: 'live' }),
      ])

      expect(recorded.map(({ kind }) => kind)).toEqual(['first', 'first', 'first'])
    })

    test('stores one body for the events of one delivery', async ({ subject }) => {
      const { store, schema, query } = subject
      const body = bodyToStore('[1,2]')

      const recorded = await store.recordReceipts([newReceipt({ body }), newReceipt({ body })])

      expect(await query(`select count(*)::int as count from "${schema}".bodies`)).toEqual([{ count: 1 }])
      for (const { receiptId = '' } of recorded) {
        expect(Buffer.from((await store.readBody('test', receiptId))?.content ?? []).toString()).toBe('[1,2]')
      }
    })

    test('gives back the exact bytes and headers, whatever they hold', async ({ subject }) => {
      const content = Uint8Array.from({ length: 256 }, (_, index) => index)
      const headers = [
        ['x-odd', 'a\u0000b\ud800 "quoted" \\ ü'],
        ['x-odd', 'again'],
      ] as const

      const [recorded] = await subject.store.recordReceipts([
        newReceipt({ body: { ...bodyToStore(content), headers } }),
      ])

      const stored = await subject.store.readBody('test', recorded?.receiptId ?? '')
      expect(Buffer.from(stored?.content ?? []).equals(content)).toBe(true)
      expect(stored?.headers).toEqual(headers)
      expect(await subject.store.readBody('live', recorded?.receiptId ?? '')).toBeUndefined()
    })

    test('accepts text that a text column refuses, and text of any length', async ({ subject }) => {
      const event = {
        type: 'nul\u0000\ud800',
        objectId: 'x'.repeat(100_000),
        deliveryId: '\u0000',
        occurredAt: new Date(Number.NaN),
      }

      const [recorded] = await subject.store.recordReceipts([
        newReceipt({ event, orderKey: `\u0000${'k'.repeat(100_000)}` }),
      ])

      expect(recorded?.kind).toBe('first')
      expect(await subject.store.findReceipts('test', { objectId: 'x'.repeat(100_000) })).toHaveLength(1)
    })

    test('keeps what is ignored out of the queue', async ({ subject }) => {
      const { store, schema, query } = subject

      await store.recordReceipts([newReceipt({ disposition: 'ignored' })])

      expect(await query(`select status from "${schema}".receipts`)).toEqual([{ status: 'ignored' }])
      expect(await query(`select receipt_id from "${schema}".queue`)).toEqual([])
    })

    test('counts the attempt of an event that failed inline before, and keeps its error and its delay', async ({
      subject,
    }) => {
      const { store, schema, query } = subject

      await store.recordReceipts([newReceipt({ adopted: { attempts: 1, delaySeconds: 60, error: 'boom' } })])

      expect(await query(`select status, attempts, last_error from "${schema}".receipts`)).toEqual([
        { status: 'retrying', attempts: 1, last_error: 'boom' },
      ])
      expect(
        await query(`select attempts, due_at > clock_timestamp() + interval '50 s' as is_later from "${schema}".queue`),
      ).toEqual([{ attempts: 1, is_later: true }])
    })

    test('writes a dead letter from the start, with its error', async ({ subject }) => {
      const { store, schema, query } = subject

      await store.recordReceipts([
        newReceipt({ disposition: 'failed', adopted: { attempts: 1, delaySeconds: 0, error: 'never' } }),
      ])

      expect(await query(`select status, last_error from "${schema}".receipts`)).toEqual([
        { status: 'failed', last_error: 'never' },
      ])
      expect(await query(`select receipt_id from "${schema}".queue`)).toEqual([])
    })
  })
}
