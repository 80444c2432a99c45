import { describe, expect } from 'vitest'
import type { MessageToAdd, Store } from '../../src/store/store.ts'
import { claimOne, handlerRun, type MakeStore } from './store-under-test.ts'
import { testWithStore } from './test-with-store.ts'

const effect = { environment: 'test', key: 'mail:in_1', receiptId: '1', handler: 'billing' }

export function messageToAdd(parts: Partial<MessageToAdd> = {}): MessageToAdd {
  return {
    environment: 'test',
    source: 'stripe',
    eventId: 'evt_1',
    receiptId: '1',
    target: 'email',
    key: 'key_1',
    message: '{"to":"ada"}',
    delaySeconds: 0,
    orderKey: undefined,
    ...parts,
  }
}

const request = { environment: 'test', target: 'email', worker: 'relay-1', limit: 10, leaseSeconds: 30 }

/** effects, outbox. */
export function describeEffects<Tx>(makeStore: MakeStore<Tx>): void {
  const test = testWithStore(makeStore)

  const add = <OtherTx>(store: Store<OtherTx>, ...parts: Partial<MessageToAdd>[]): Promise<void> =>
    store.transaction(async ({ effects }) => {
      for (const part of parts) await effects().addMessage(messageToAdd(part))
    })

  describe('an effect', () => {
    test('is first once, and known with its result ever after', async ({ subject: { store } }) => {
      const first = await store.transaction(async ({ effects }) => {
        const claimed = await effects().claimEffect(effect)
        await effects().keepResult(effect, '{"mail":42}')
        return claimed
      })
      const second = await store.transaction(({ effects }) => effects().claimEffect({ ...effect, receiptId: '2' }))
      const elsewhere = await store.transaction(({ effects }) =>
        effects().claimEffect({ ...effect, environment: 'live' }),
      )

      expect([first, second, elsewhere]).toEqual([
        { kind: 'first' },
        { kind: 'known', result: '{"mail":42}' },
        { kind: 'first' },
      ])
    })

    test('is undone with its transaction', async ({ subject: { store } }) => {
      const rolledBack = store.transaction(async ({ effects }) => {
        await effects().claimEffect(effect)
        throw new Error('roll back')
      })
      await expect(rolledBack).rejects.toThrow('roll back')

      expect(await store.transaction(({ effects }) => effects().claimEffect(effect))).toEqual({ kind: 'first' })
    })
  })

  describe('a version', () => {
    test('rises and never falls; an equal one counts as the caller says', async ({ subject: { store } }) => {
      const raise = (version: string, whenEqual: 'apply' | 'stale' = 'apply', kind = 'number') =>
        store.transaction(({ effects }) =>
          effects().raiseVersion({
            environment: 'test',
            key: 'sub_1',
            receiptId: '1',
            kind,
            version,
            shown: version,
            whenEqual,
          }),
        )

      const outcomes = [
        await raise('2'),
        await raise('1'),
        await raise('2'),
        await raise('2', 'stale'),
        await raise('3'),
        await raise('9', 'apply', 'date'),
      ]

      expect(outcomes).toEqual(['raised', 'stale', 'raised', 'stale', 'raised', 'other_kind'])
    })
  })

  describe('a change', () => {
    test('belongs to the first event that tells of it, and to its replays', async ({ subject: { store } }) => {
      const claim = (receiptId: string, handler = 'billing') =>
        store.transaction(({ effects }) => effects().claimChange({ ...effect, source: 'stripe', receiptId, handler }))

      expect([await claim('1'), await claim('2'), await claim('1'), await claim('2', 'mail')]).toEqual([
        true,
        false,
        true,
        true,
      ])
    })
  })

  describe('the ending of a receipt', () => {
    test('is stale if one handler’s was, though others were not', async ({ subject }) => {
      const { store } = subject
      const claim = await claimOne(subject)

      await store.transaction((open) => open.completeHandler(claim.lease, handlerRun({ handler: 'first' }), 'stale'))
      await store.transaction((open) =>
        open.completeReceipt(claim.lease, handlerRun({ handler: 'second' }), 'processed'),
      )

      expect(await store.findReceipts('test', {})).toMatchObject([{ status: 'stale' }])
    })

    test('is the same change only if it was that for every handler', async ({ subject }) => {
      const { store } = subject
      const one = await claimOne(subject)
      await store.transaction((open) =>
        open.completeHandler(one.lease, handlerRun({ handler: 'first' }), 'same_change'),
      )
      await store.transaction((open) => open.completeReceipt(one.lease, handlerRun({ handler: 'second' }), 'processed'))
      const other = await claimOne(subject)
      await store.transaction((open) => open.completeReceipt(other.lease, handlerRun(), 'same_change'))

      expect((await store.findReceipts('test', {})).map(({ status }) => status)).toEqual(['same_change', 'processed'])
    })
  })

  describe('the outbox', () => {
    test('takes a message with a key once for each target', async ({ subject: { store } }) => {
      const added = await store.transaction(async ({ effects }) => [
        await effects().addMessage(messageToAdd()),
        await effects().addMessage(messageToAdd()),
        await effects().addMessage(messageToAdd({ target: 'crm' })),
      ])

      expect(added).toEqual([true, false, true])
      expect(await store.outbox.find('test', { target: 'email' })).toMatchObject([{ key: 'key_1', status: 'pending' }])
    })

    test('hands out what is due with a new fence, and not again while it is leased', async ({ subject: { store } }) => {
      await add(store, {}, { key: 'later', delaySeconds: 3600 })

      const [claimed, ...others] = await store.outbox.claim(request)

      expect(others).toEqual([])
      expect(claimed?.message).toMatchObject({
        idempotencyKey: 'key_1',
        target: 'email',
        message: { to: 'ada' },
        json: '{"to":"ada"}',
        attempt: 1,
        cause: { source: 'stripe', eventId: 'evt_1', receiptId: '1' },
      })
      expect(await store.outbox.claim(request)).toEqual([])
    })

    test('believes nobody whose lease was lost', async ({ subject }) => {
      const { store, query, schema } = subject
      await add(store, {})
      const [late] = await store.outbox.claim(request)
      await query(`update "${schema}".outbox set due_at = clock_timestamp() - interval '1 second'`)
      const [current] = await store.outbox.claim({ ...request, worker: 'relay-2' })
      const lateLease = late?.lease ?? { messageId: '0', fence: '0' }

      expect(await store.outbox.publish([lateLease])).toBe(0)
      await store.outbox.retryLater([{ lease: lateLease, error: 'late', seconds: 0 }])
      await store.outbox.deadLetter([{ lease: lateLease, error: 'late', seconds: 0 }])
      await store.outbox.handBack([lateLease])
      expect(await store.outbox.renewLeases([lateLease], 30)).toEqual([])
      expect(await store.outbox.find('test', {})).toMatchObject([
        { status: 'pending', attempts: 2, lastError: undefined },
      ])
      expect(await store.outbox.publish(current === undefined ? [] : [current.lease])).toBe(1)
    })

    test('puts back, buries and sends again', async ({ subject: { store } }) => {
      await add(store, {})
      const [first] = await store.outbox.claim(request)
      if (first !== undefined) await store.outbox.retryLater([{ lease: first.lease, error: 'busy', seconds: 0 }])
      const [second] = await store.outbox.claim(request)
      if (second !== undefined) await store.outbox.deadLetter([{ lease: second.lease, error: 'gone', seconds: 0 }])

      expect(await store.outbox.find('test', { status: 'failed' })).toMatchObject([{ attempts: 2, lastError: 'gone' }])
      expect(await store.outbox.millisecondsUntilDue(request)).toBeUndefined()
      expect(await store.outbox.replay('test', { status: 'failed' })).toHaveLength(1)
      expect(await store.outbox.replay('test', { id: 'not a number' })).toEqual([])
      expect(await store.outbox.claim(request)).toMatchObject([{ message: { attempt: 1, idempotencyKey: 'key_1' } }])
    })

    test('hands out the messages of one order one after another', async ({ subject: { store } }) => {
      await add(store, { key: 'a1', orderKey: 'a' }, { key: 'a2', orderKey: 'a' }, { key: 'b1', orderKey: 'b' })

      const first = await store.outbox.claim(request)
      expect(first.map(({ message }) => message.idempotencyKey)).toEqual(['a1', 'b1'])
      await store.outbox.publish(first.map(({ lease }) => lease))

      expect((await store.outbox.claim(request)).map(({ message }) => message.idempotencyKey)).toEqual(['a2'])
    })
  })
}
