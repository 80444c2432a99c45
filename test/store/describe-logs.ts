import { describe, expect } from 'vitest'
import type { NotedDelivery } from '../../src/receipt/receipt.ts'
import { claimOne, codeOf, handlerRun, type MakeStore, newReceipt, signedReceipt } from './store-under-test.ts'
import { testWithStore } from './test-with-store.ts'

/** noteRun, noteDeliveries, timeline, listen, durability. */
export function describeLogs<Tx>(makeStore: MakeStore<Tx>): void {
  const test = testWithStore(makeStore)

  function delivery(parts: Partial<NotedDelivery> = {}): NotedDelivery {
    return {
      environment: 'test',
      source: 'stripe',
      eventId: 'evt_1',
      deliveryId: 'd_2',
      kind: 'duplicate',
      at: new Date(),
      status: 200,
      latencyMilliseconds: 1.5,
      detail: undefined,
      secretIndex: 0,
      ...parts,
    }
  }

  describe('the meters', () => {
    test('add up what they are given, by day and by secret', async ({ subject }) => {
      const { add, read } = subject.store.meters
      const late = { deliveries: 3, pastHalf: 2, pastMost: 1, pastAll: 0, slowestMilliseconds: 9 }
      const reading = { environment: 'test', source: 'stripe', mark: '2-abcd', bySecret: [3, 0], deadline: late }

      await add([reading, { ...reading, source: 'github', deadline: undefined, bySecret: [], mark: undefined }])
      await add([{ ...reading, deadline: { ...late, slowestMilliseconds: 20 } }])
      await add([{ ...reading, environment: 'live' }])

      const { deadlines, secrets, now } = await read('test', 7)
      const stripe = { source: 'stripe', deliveries: 6, pastHalf: 4, pastMost: 2, pastAll: 0, slowestMilliseconds: 20 }
      expect(deadlines).toEqual([stripe])
      const kept = { source: 'stripe', mark: '2-abcd', since: expect.any(Date) }
      expect(secrets.toSorted((one, other) => one.position - other.position)).toEqual([
        { ...kept, position: 1, deliveries: 6, othersSince: 0, lastSeenAt: expect.any(Date) },
        { ...kept, position: 2, deliveries: 0, othersSince: 6, lastSeenAt: undefined },
      ])
      expect(now.getTime()).toBeGreaterThanOrEqual(secrets[0]?.since?.getTime() ?? Number.NaN)
    })
  })

  describe('the logs', () => {
    test('keep a run whose transaction was rolled back, although there is no receipt', async ({ subject }) => {
      const { store, schema, query } = subject
      const key = { environment: 'test', source: 'stripe', eventId: 'evt_1' }

      await store.noteRun(key, handlerRun({ outcome: 'failed', error: 'boom' }))

      expect(
        await query(`select event_id, outcome, error, ended_at >= started_at as is_ordered from "${schema}".attempts`),
      ).toEqual([{ event_id: 'evt_1', outcome: 'failed', error: 'boom', is_ordered: true }])
    })

    test('keep repeated deliveries and count them on the receipt', async ({ subject }) => {
      const { store, schema, query } = subject
      await store.recordReceipts([newReceipt({ eventId: 'evt_1' })])

      await store.noteDeliveries([delivery(), delivery({ kind: 'mutated' }), delivery({ eventId: 'evt_2' })])

      expect(await query(`select deliveries from "${schema}".receipts`)).toEqual([{ deliveries: 3 }])
      expect(await query(`select event_id, kind, status, delivery_id from "${schema}".deliveries order by id`)).toEqual(
        [
          { event_id: 'evt_1', kind: 'duplicate', status: 200, delivery_id: 'd_2' },
          { event_id: 'evt_1', kind: 'mutated', status: 200, delivery_id: 'd_2' },
          { event_id: 'evt_2', kind: 'duplicate', status: 200, delivery_id: 'd_2' },
        ],
      )
    })

    test('keep a repeated body, and count it at the event that had it first', async ({ subject }) => {
      const { store, schema, query } = subject
      await store.recordReceipts([signedReceipt('one', 'body')])
      await store.recordReceipts([signedReceipt('two', 'body')])
      const replayed = delivery({ source: 'github', kind: 'replayed_body' })

      await store.noteDeliveries([
        { ...replayed, eventId: 'one', detail: 'It came as event three.' },
        { ...replayed, eventId: 'two', detail: 'It has the body of event one.' },
      ])

      expect(await query(`select event_id, deliveries from "${schema}".receipts order by id`)).toEqual([
        { event_id: 'one', deliveries: 2 },
        { event_id: 'two', deliveries: 1 },
      ])
      expect(await query(`select event_id, kind, detail from "${schema}".deliveries order by id`)).toEqual([
        { event_id: 'one', kind: 'replayed_body', detail: 'It came as event three.' },
        { event_id: 'two', kind: 'replayed_body', detail: 'It has the body of event one.' },
      ])
      expect(await query(`select kind from "${schema}".refusals`)).toEqual([])
    })

    test('count every refusal but keep only the first of a minute', async ({ subject }) => {
      const { store, schema, query } = subject
      const forged = delivery({ kind: 'forged', eventId: undefined, status: 401, detail: 'nul \u0000' })

      await store.noteDeliveries(Array.from({ length: 15 }, () => forged))
      await store.noteDeliveries(Array.from({ length: 15 }, () => forged))

      // The clock may strike a new minute between the two.
      const [row] = await query<{ minutes: number; kept: number; counted: number }>(
        `select (select count(*)::int from "${schema}".refusals) as minutes,
           (select count(*)::int from "${schema}".deliveries) as kept, (select sum(count)::int from "${schema}".refusals) as counted`,
      )
      expect(row?.counted).toBe(30)
      expect(row?.kept).toBe(row?.minutes === 1 ? 20 : 30)
    })

    test('tell the life of a receipt, newest things last', async ({ subject }) => {
      const { store } = subject
      const { lease } = await claimOne(subject, newReceipt({ eventId: 'evt_1' }))
      await store.deadLetter(lease, { error: 'boom', runs: [handlerRun({ outcome: 'failed', error: 'boom' })] })
      await store.replay('test', {}, { by: 'ada', why: 'mended' })
      await store.noteDeliveries([delivery({ at: new Date(Date.now() + 60_000) })])

      const entries = await store.timeline('test', lease.receiptId)

      expect(entries.map(({ kind }) => kind)).toEqual(['received', 'attempt', 'replay', 'delivery'])
      expect(entries[1]).toMatchObject({ attempt: { attempt: 1, handler: 'h', outcome: 'failed', error: 'boom' } })
      expect(entries[2]).toMatchObject({ by: 'ada', why: 'mended' })
      expect(entries[3]).toMatchObject({ delivery: { kind: 'duplicate', latencyMilliseconds: 1.5, detail: undefined } })
    })

    test('say what came again, and after how long', async ({ subject }) => {
      const { store } = subject
      await store.recordReceipts([newReceipt({ eventId: 'evt_1' })])
      const at = new Date(Date.now() + 3_600_000)
      await store.noteDeliveries([delivery({ at }), delivery({ kind: 'mutated', at })])
      const limits = [{ source: 'stripe', deadlineSeconds: undefined, retryHours: 0, isInline: false }]
      const question = { source: undefined, since: new Date(Date.now() - 3_600_000), limits }

      const [counted] = await store.retryPatterns('test', question)

      expect(counted).toMatchObject({ source: 'stripe', isComplete: true, copiesPerEvent: [{ copies: 2, events: 1 }] })
      expect(counted?.causes).toHaveLength(2)
      expect(counted?.causes).toContainEqual({ cause: 'resent', copies: 1 })
      expect(counted?.causes).toContainEqual({ cause: 'changed_body', copies: 1 })
      expect(counted?.delays.filter((copies) => copies > 0)).toEqual([1, 1])
      expect(await store.retryPatterns('live', question)).toEqual([])
    })

    test('have no life of a receipt that is not there', async ({ subject }) => {
      const { lease } = await claimOne(subject)

      expect(await subject.store.timeline('live', lease.receiptId)).toEqual([])
      expect(await subject.store.timeline('test', '999999')).toEqual([])
      expect(await subject.store.timeline('test', 'no number')).toEqual([])
    })
  })

  describe('the store', () => {
    test('says what to do when its tables are missing', async ({ subject }) => {
      await subject.query(`drop schema "${subject.schema}" cascade`)

      const code = await codeOf(subject.store.recordReceipts([newReceipt()]))

      expect(code).toBe('ONCEHOOK_NOT_MIGRATED')
    })

    test('says what it survives', async ({ subject }) => {
      const report = await subject.store.durability()

      expect(report.tier).toMatch(/^T[123][+-]?$/)
      expect(report.summary).not.toBe('')
    })

    test('can be listened to and woken', async ({ subject }) => {
      const listening = await subject.store.listen(() => {})

      await subject.store.wakeOthers()

      expect(['listening', 'alone', 'poll']).toContain(listening.kind)
      await listening.stop()
    })
  })
}
