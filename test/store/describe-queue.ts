import { describe, expect } from 'vitest'
import {
  claimOne,
  claimRequest,
  expireLeases,
  handlerRun,
  type MakeStore,
  newReceipt,
  scope,
} from './store-under-test.ts'
import { testWithStore } from './test-with-store.ts'

/** claim, renewLeases, retryLater, deadLetter, handBack, millisecondsUntilDue. */
export function describeQueue<Tx>(makeStore: MakeStore<Tx>): void {
  const test = testWithStore(makeStore)

  describe('claiming', () => {
    test('hands out everything a handler may ask for', async ({ subject }) => {
      const occurredAt = new Date('2024-02-29T12:00:00.123Z')
      const event = { objectId: 'in_1', deliveryId: 'd_1', occurredAt, part: '/0' }

      const claim = await claimOne(subject, newReceipt({ eventId: 'evt_1', event, content: 'bytes' }))

      expect(claim).toMatchObject({
        environment: 'test',
        source: 'stripe',
        eventId: 'evt_1',
        attempt: 1,
        completedHandlers: [],
      })
      expect(claim.event).toEqual({ id: 'evt_1', type: 'invoice.paid', ...event })
      expect(Buffer.from(claim.body?.content ?? []).toString()).toBe('bytes')
      expect(claim.body?.headers).toEqual([['content-type', 'application/json']])
      expect(claim.ageSeconds).toBeGreaterThanOrEqual(0)
    })

    test('hands out the exact bytes, whatever they are and whatever is claimed with them', async ({ subject }) => {
      const { store } = subject
      const texts = ['', '{"a":"\\u00e9 \\"\\\\"}', '{"name":"Zoë 漢字 👍"}', '\ufeff{}', '\\x00ff'].map((text) =>
        Buffer.from(text),
      )
      const others = [[0], [0x7b, 0x00, 0x7d], [0xff, 0xfe], [0xed, 0xa0, 0x80], [0xc3]].map((bytes) =>
        Buffer.from(bytes),
      )
      const claimed = async (bodies: readonly Buffer[]): Promise<readonly Buffer[]> => {
        for (const content of bodies) await store.recordReceipts([newReceipt({ content })])
        const claims = await store.claim(claimRequest({ limit: 20 }))
        return claims.map(({ body }) => Buffer.from(body?.content ?? []))
      }

      expect(await claimed(texts)).toEqual(texts)
      expect(await claimed(others)).toEqual(others)
      expect(await claimed([...texts, ...others])).toEqual([...texts, ...others])
    })

    test('does not hand out what is leased, of another source or environment, or not yet due', async ({ subject }) => {
      const { store } = subject
      await claimOne(subject)
      await store.recordReceipts([
        newReceipt({ source: 'github' }),
        newReceipt({ environment: 'live' }),
        newReceipt({ adopted: { attempts: 1, delaySeconds: 60, error: 'boom' } }),
      ])

      expect(await store.claim(claimRequest())).toEqual([])
    })

    test('takes the longest due first, and no more than asked for', async ({ subject }) => {
      const { store } = subject
      for (const eventId of ['a', 'b', 'c']) await store.recordReceipts([newReceipt({ eventId })])

      const claims = await store.claim(claimRequest({ limit: 2 }))

      expect(claims.map(({ eventId }) => eventId)).toEqual(['a', 'b'])
    })

    test('takes over an expired lease with a new fence, counts the attempt, and logs the abandoned one', async ({
      subject,
    }) => {
      const { store, schema, query } = subject
      const first = await claimOne(subject)
      await expireLeases(subject)

      const [second] = await store.claim(claimRequest({ worker: 'worker-2' }))

      expect(second?.attempt).toBe(2)
      expect(BigInt(second?.lease.fence ?? 0)).toBeGreaterThan(BigInt(first.lease.fence))
      expect(await query(`select attempt, worker, outcome from "${schema}".attempts`)).toEqual([
        { attempt: 1, worker: 'worker-1', outcome: 'abandoned' },
      ])
    })

    test('hands out the body as undefined once it was pruned', async ({ subject }) => {
      await subject.store.recordReceipts([newReceipt()])
      await subject.query(`delete from "${subject.schema}".bodies`)

      const [claim] = await subject.store.claim(claimRequest())

      expect(claim?.body).toBeUndefined()
    })
  })

  describe('a lease', () => {
    test('is extended while it is held', async ({ subject }) => {
      const { store, schema, query } = subject
      const { lease } = await claimOne(subject)

      expect(await store.renewLeases([lease], 600)).toEqual([lease.receiptId])

      expect(
        await query(`select due_at > clock_timestamp() + interval '590 s' as is_later from "${schema}".queue`),
      ).toEqual([{ is_later: true }])
    })

    test('that was lost is not won back by renewing', async ({ subject }) => {
      const { store } = subject
      const { lease } = await claimOne(subject)
      await expireLeases(subject)
      await store.claim(claimRequest({ worker: 'worker-2' }))

      expect(await store.renewLeases([lease], 600)).toEqual([])
    })

    test('that was lost changes nothing, whatever its old owner does', async ({ subject }) => {
      const { store, schema, query } = subject
      const { lease } = await claimOne(subject)
      await expireLeases(subject)
      await store.claim(claimRequest({ worker: 'worker-2' }))
      const before = await query(`select * from "${schema}".queue, "${schema}".receipts`)
      const run = handlerRun()

      expect(await store.retryLater(lease, { seconds: 1, kind: 'retrying', error: 'late', runs: [run] })).toBe(false)
      expect(await store.deadLetter(lease, { error: 'late', runs: [run] })).toBe(false)
      await store.handBack([lease])
      const completed = store.transaction((transaction) => transaction.completeReceipt(lease, run))
      expect(await completed).toBe(false)
      const handled = store.transaction((transaction) => transaction.completeHandler(lease, run))
      expect(await handled).toBe(false)

      expect(await query(`select * from "${schema}".queue, "${schema}".receipts`)).toEqual(before)
      expect(await query(`select outcome from "${schema}".attempts`)).toEqual([{ outcome: 'abandoned' }])
      expect(await query(`select handler from "${schema}".completions`)).toEqual([])
    })

    test('is worthless after it was given up by its owner', async ({ subject }) => {
      const { store } = subject
      const { lease } = await claimOne(subject)
      await store.handBack([lease])

      expect(await store.renewLeases([lease], 600)).toEqual([])
      expect(await store.deadLetter(lease, { error: 'late', runs: [] })).toBe(false)
    })
  })

  describe('putting back', () => {
    test('for a retry counts the attempt and keeps the error and the runs', async ({ subject }) => {
      const { store, schema, query } = subject
      const { lease } = await claimOne(subject)
      const run = handlerRun({ outcome: 'failed', error: 'boom' })

      expect(await store.retryLater(lease, { seconds: 60, kind: 'retrying', error: 'boom', runs: [run] })).toBe(true)

      expect(await query(`select status, attempts, last_error from "${schema}".receipts`)).toEqual([
        { status: 'retrying', attempts: 1, last_error: 'boom' },
      ])
      expect(await query(`select attempts, fence, leased_by from "${schema}".queue`)).toEqual([
        { attempts: 1, fence: null, leased_by: null },
      ])
      expect(await query(`select attempt, handler, worker, outcome, error from "${schema}".attempts`)).toEqual([
        { attempt: 1, handler: 'h', worker: 'worker-1', outcome: 'failed', error: 'boom' },
      ])
      expect(await store.claim(claimRequest())).toEqual([])
    })

    test('for a deferral does not count the attempt', async ({ subject }) => {
      const { store, schema, query } = subject
      const { lease } = await claimOne(subject)

      await store.retryLater(lease, { seconds: 0, kind: 'deferred', error: 'not yet', runs: [] })

      expect(await query(`select status, attempts from "${schema}".receipts`)).toEqual([
        { status: 'received', attempts: 0 },
      ])
      expect((await store.claim(claimRequest()))[0]?.attempt).toBe(1)
    })

    test('unrun does not count the attempt', async ({ subject }) => {
      const { store } = subject
      const { lease } = await claimOne(subject)

      await store.handBack([lease])

      const [again] = await store.claim(claimRequest({ worker: 'worker-2' }))
      expect(again?.attempt).toBe(1)
      expect(await subject.query(`select outcome from "${subject.schema}".attempts`)).toEqual([])
    })

    test('unrun with a delay keeps it from being claimed at once', async ({ subject }) => {
      const { lease } = await claimOne(subject)

      await subject.store.handBack([lease], 60)

      expect(await subject.store.claim(claimRequest())).toEqual([])
    })

    test('as a dead letter takes it out of the queue and keeps why', async ({ subject }) => {
      const { store, schema, query } = subject
      const { lease } = await claimOne(subject)

      expect(await store.deadLetter(lease, { error: 'hopeless', runs: [handlerRun({ outcome: 'failed' })] })).toBe(true)

      expect(await query(`select status, attempts, last_error from "${schema}".receipts`)).toEqual([
        { status: 'failed', attempts: 1, last_error: 'hopeless' },
      ])
      expect(await query(`select receipt_id from "${schema}".queue`)).toEqual([])
      expect(await query(`select outcome from "${schema}".attempts`)).toEqual([{ outcome: 'failed' }])
    })
  })

  describe('the time until something is due', () => {
    test('is undefined for an empty queue, 0 for a due event, and the rest of a lease', async ({ subject }) => {
      const { store } = subject
      expect(await store.millisecondsUntilDue(scope)).toBeUndefined()
      await store.recordReceipts([newReceipt()])
      expect(await store.millisecondsUntilDue(scope)).toBe(0)
      await store.claim(claimRequest({ leaseSeconds: 30 }))

      const milliseconds = await store.millisecondsUntilDue(scope)

      expect(milliseconds).toBeGreaterThan(10_000)
      expect(milliseconds).toBeLessThanOrEqual(30_000)
    })
  })
}
