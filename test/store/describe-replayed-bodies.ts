import { describe, expect } from 'vitest'
import { bodyToStore, type MakeStore, newReceipt, type StoreUnderTest, signedReceipt } from './store-under-test.ts'
import { testWithStore } from './test-with-store.ts'

/** recordReceipts and recordReceipt of signed bodies that come again under other ids. */
export function describeReplayedBodies<Tx>(makeStore: MakeStore<Tx>): void {
  const test = testWithStore(makeStore)
  const duplicate = { whenRepeated: 'duplicate' } as const
  const rows = ({ query, schema }: StoreUnderTest<Tx>): Promise<readonly unknown[]> =>
    query(
      `select event_id as id, signed_key is not null as has_key, repeats_event_id as repeats from "${schema}".receipts order by receipts.id`,
    )

  describe('a signed body under a new id', () => {
    test('is recorded and says which event it repeats, if it is to be flagged', async ({ subject }) => {
      const { store, schema, query } = subject
      await store.recordReceipts([signedReceipt('one', 'body')])

      const [second] = await store.recordReceipts([signedReceipt('two', 'body')])

      expect(second).toEqual({ kind: 'first', receiptId: expect.any(String), repeatsEventId: 'one' })
      expect(await rows(subject)).toEqual([
        { id: 'one', has_key: true, repeats: null },
        { id: 'two', has_key: false, repeats: 'one' },
      ])
      expect(await query(`select receipt_id from "${schema}".queue`)).toHaveLength(2)
      expect(await query(`select id from "${schema}".bodies`)).toHaveLength(2)
      expect((await store.findReceipts('test', {})).map(({ repeatsEventId }) => repeatsEventId)).toEqual([
        'one',
        undefined,
      ])
    })

    test('leaves nothing, if it is to be a duplicate', async ({ subject }) => {
      const { store, schema, query } = subject
      const [first] = await store.recordReceipts([signedReceipt('one', 'body', duplicate)])

      const [second] = await store.recordReceipts([signedReceipt('two', 'body', duplicate)])

      const receiptId = first?.receiptId
      expect(second).toEqual({
        kind: 'duplicate',
        receiptId,
        status: 'received',
        isMutated: false,
        repeatsEventId: 'one',
      })
      expect(await rows(subject)).toEqual([{ id: 'one', has_key: true, repeats: null }])
      expect(await query(`select receipt_id from "${schema}".queue`)).toHaveLength(1)
      expect(await query(`select id from "${schema}".bodies`)).toHaveLength(1)
    })

    test('repeats the first of many, not the last', async ({ subject }) => {
      for (const id of ['one', 'two', 'three']) await subject.store.recordReceipts([signedReceipt(id, 'body')])

      expect(await rows(subject)).toEqual([
        { id: 'one', has_key: true, repeats: null },
        { id: 'two', has_key: false, repeats: 'one' },
        { id: 'three', has_key: false, repeats: 'one' },
      ])
    })

    test.for(['flag', 'duplicate'] as const)(
      'and under its own is a plain duplicate (%s)',
      async (whenRepeated, { subject }) => {
        const { store } = subject
        await store.recordReceipts([signedReceipt('one', 'body', { whenRepeated })])
        await store.recordReceipts([signedReceipt('two', 'body')])

        const again = await store.recordReceipts([
          signedReceipt('one', 'body', { whenRepeated }),
          signedReceipt('two', 'body', { whenRepeated }),
        ])

        expect(again).toMatchObject([
          { kind: 'duplicate', isMutated: false },
          { kind: 'duplicate', isMutated: false },
        ])
        expect(again.filter((recorded) => 'repeatsEventId' in recorded)).toEqual([])
        expect(await rows(subject)).toHaveLength(2)
      },
    )

    test('is not compared where the ids are signed', async ({ subject }) => {
      const { store } = subject

      const recorded = await store.recordReceipts([newReceipt({ content: 'body' }), newReceipt({ content: 'body' })])

      expect(recorded).toEqual(recorded.map(({ receiptId }) => ({ kind: 'first', receiptId })))
    })

    test('is new again once the receipt that had it is gone', async ({ subject }) => {
      const { store, schema, query } = subject
      await store.recordReceipts([signedReceipt('one', 'body', duplicate)])
      await query(`delete from "${schema}".receipts`)

      const [recorded] = await store.recordReceipts([signedReceipt('two', 'body', duplicate)])

      expect(recorded).toEqual({ kind: 'first', receiptId: expect.any(String) })
    })
  })

  describe('another body under a known id', () => {
    test.for(['flag', 'duplicate'] as const)(
      'is mutated, and not remembered (%s)',
      async (whenRepeated, { subject }) => {
        const { store } = subject
        await store.recordReceipts([signedReceipt('one', 'body', { whenRepeated })])

        const [mutated] = await store.recordReceipts([signedReceipt('one', 'other', { whenRepeated })])
        const [genuine] = await store.recordReceipts([signedReceipt('two', 'other', { whenRepeated })])

        expect(mutated).toMatchObject({ kind: 'duplicate', isMutated: true })
        expect(genuine).toEqual({ kind: 'first', receiptId: expect.any(String) })
      },
    )

    test('that belongs to a third event is mutated all the same', async ({ subject }) => {
      const { store } = subject
      const [one] = await store.recordReceipts([signedReceipt('one', 'body'), signedReceipt('two', 'other')])

      const [crossed] = await store.recordReceipts([signedReceipt('one', 'other')])

      expect(crossed).toEqual({ kind: 'duplicate', receiptId: one?.receiptId, status: 'received', isMutated: true })
    })
  })

  describe('a batch with signed bodies', () => {
    test('has one first of each body, and leaves its other rows alone', async ({ subject }) => {
      const { store } = subject
      const receipts = [
        newReceipt({ eventId: 'plain' }),
        ...['a', 'b', 'c'].map((id) => signedReceipt(id, 'body')),
        signedReceipt('d', 'other'),
        ...['e', 'f'].map((id) => signedReceipt(id, 'third', duplicate)),
      ]

      const recorded = await store.recordReceipts(receipts)

      expect(recorded).toMatchObject([
        { kind: 'first' },
        { kind: 'first' },
        { kind: 'first', repeatsEventId: 'a' },
        { kind: 'first', repeatsEventId: 'a' },
        { kind: 'first' },
        { kind: 'first' },
        { kind: 'duplicate', receiptId: recorded[5]?.receiptId, repeatsEventId: 'e' },
      ])
      expect(recorded.filter((one) => 'repeatsEventId' in one)).toHaveLength(3)
      expect(await rows(subject)).toHaveLength(6)
      expect(await subject.query(`select receipt_id from "${subject.schema}".queue`)).toHaveLength(6)
    })

    test('takes the new one of two bodies under one id, where the other is known', async ({ subject }) => {
      const { store } = subject
      await store.recordReceipts([signedReceipt('one', 'known', duplicate)])

      const recorded = await store.recordReceipts([
        signedReceipt('two', 'known', duplicate),
        signedReceipt('two', 'new', duplicate),
      ])

      expect(recorded[1]).toEqual({ kind: 'first', receiptId: expect.any(String) })
      expect(recorded[0]?.kind).toBe('duplicate')
      expect(await rows(subject)).toHaveLength(2)
      expect(Buffer.from((await store.readBody('test', recorded[1]?.receiptId ?? ''))?.content ?? []).toString()).toBe(
        'new',
      )
    })

    test('answers two bodies under one new id with one first and one mutated copy', async ({ subject }) => {
      const recorded = await subject.store.recordReceipts([signedReceipt('one', 'a'), signedReceipt('one', 'b')])

      expect(recorded.map(({ kind }) => kind).toSorted()).toEqual(['duplicate', 'first'])
      expect(recorded.find(({ kind }) => kind === 'duplicate')).toMatchObject({ isMutated: true })
      expect(await subject.query(`select receipt_id from "${subject.schema}".queue`)).toHaveLength(1)
    })

    test('may be of any size', async ({ subject }) => {
      const receipts = Array.from({ length: 200 }, (_, index) =>
        index % 3 === 0 ? newReceipt() : signedReceipt(`evt_${index}`, `body ${index}`),
      )

      const recorded = await subject.store.recordReceipts(receipts)
      const found = await subject.store.findReceipts('test', { limit: 500 })

      const ids = new Map(found.map(({ id, eventId }) => [id, eventId]))
      expect(recorded.every((one) => one.kind === 'first' && one.repeatsEventId === undefined)).toBe(true)
      expect(recorded.map(({ receiptId = '' }) => ids.get(receiptId))).toEqual(receipts.map(({ eventId }) => eventId))
    })

    test('keeps events of one delivery together, which have no keys', async ({ subject }) => {
      const body = bodyToStore('[1,2]')

      const recorded = await subject.store.recordReceipts([
        newReceipt({ body, source: 'github', event: { part: '/0' } }),
        newReceipt({ body, source: 'github', event: { part: '/1' } }),
      ])

      expect(recorded).toMatchObject([{ kind: 'first' }, { kind: 'first' }])
    })
  })

  describe('a signed body in a transaction', () => {
    test('is flagged like any other', async ({ subject }) => {
      const { store } = subject
      await store.recordReceipts([signedReceipt('one', 'body')])

      const recorded = await store.transaction(({ recordReceipt }) =>
        recordReceipt(signedReceipt('two', 'body', { disposition: 'inline' })),
      )

      expect(recorded).toMatchObject({ kind: 'first', repeatsEventId: 'one' })
      expect(await rows(subject)).toHaveLength(2)
    })

    test('is forgotten when the transaction rolls back', async ({ subject }) => {
      const { store } = subject
      const failing = store.transaction(async ({ recordReceipt }) => {
        await recordReceipt(signedReceipt('one', 'body', { whenRepeated: 'duplicate', disposition: 'inline' }))
        throw new Error('boom')
      })
      await expect(failing).rejects.toThrow('boom')

      const [second] = await store.recordReceipts([signedReceipt('two', 'body', duplicate)])

      expect(second).toEqual({ kind: 'first', receiptId: expect.any(String) })
    })
  })

  describe('a replay', () => {
    test('of a body and of its repetition puts both back, and changes nothing of what is remembered', async ({
      subject,
    }) => {
      const { store } = subject
      const ignored = { disposition: 'ignored' } as const
      await store.recordReceipts([signedReceipt('one', 'body', ignored)])
      await store.recordReceipts([signedReceipt('two', 'body', ignored)])
      const before = await rows(subject)

      const ids = await store.replay('test', {}, { by: 'ada', why: 'mended' })

      expect(ids).toHaveLength(2)
      expect(await rows(subject)).toEqual(before)
      expect(await store.recordReceipts([signedReceipt('three', 'body')])).toMatchObject([{ repeatsEventId: 'one' }])
    })
  })
}
