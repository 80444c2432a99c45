import { describe, expect } from 'vitest'
import { createDatastore, type Datastore } from '../../src/datastore/datastore.ts'
import { expiryTask } from '../../src/datastore/expiry-task.ts'
import type { Store } from '../../src/store/store.ts'
import type { MakeStore, StoreUnderTest } from './store-under-test.ts'
import { testWithStore } from './test-with-store.ts'

/** values, versions, times to live. */
export function describeDatastore<Tx>(makeStore: MakeStore<Tx>): void {
  const test = testWithStore(makeStore)
  const datastoreOf = ({ store }: { readonly store: Store<Tx> }): Datastore =>
    createDatastore({
      environment: 'test',
      verbs: store.datastore,
      atomically: (work) => store.transaction(({ effects }) => work(effects().datastore)),
    })
  const expire = ({ query, schema }: StoreUnderTest<Tx>, key: string): Promise<unknown> =>
    query(`update "${schema}".datastore set expires_at = clock_timestamp() - interval '1 second' where key = $1`, [key])

  describe('a value of the datastore', () => {
    test('comes back as it went in, under a new version after every change', async ({ subject }) => {
      const datastore = datastoreOf(subject)
      const hostile = { text: 'a\u0000b\ud800', large: 2 ** 53, list: [null, true, { '': 'ünï' }] }

      const first = await datastore.set('carts', 'c/1 ü', hostile)
      const second = await datastore.set('carts', 'c/1 ü', 'other')

      expect(first.value).toEqual(hostile)
      expect(await datastore.get('carts', 'c/1 ü')).toEqual(second)
      expect(second).toMatchObject({ namespace: 'carts', key: 'c/1 ü', value: 'other', expiresAt: undefined })
      expect(second.version).not.toBe(first.version)
      expect(await datastore.get('carts', 'c/1')).toBeUndefined()
      expect(await datastore.get('Carts', 'c/1 ü')).toBeUndefined()
    })

    test('is stored by set-if-absent once, and again when it is gone or past its time', async ({ subject }) => {
      const datastore = datastoreOf(subject)

      const first = await datastore.setIfAbsent('seen', 'evt_1', 1, { ttlSeconds: 3600 })
      const second = await datastore.setIfAbsent('seen', 'evt_1', 2)
      await expire(subject, 'evt_1')
      const third = await datastore.setIfAbsent('seen', 'evt_1', 3)
      await datastore.delete('seen', 'evt_1')
      const fourth = await datastore.setIfAbsent('seen', 'evt_1', 4)

      expect([first, second, third, fourth].map(({ stored, current }) => [stored, current?.value])).toEqual([
        [true, 1],
        [false, 1],
        [true, 3],
        [true, 4],
      ])
      expect(third.current?.expiresAt).toBeUndefined()
      expect(new Set([first, third, fourth].map(({ current }) => current?.version)).size).toBe(3)
    })

    test('is changed by compare-and-set only from what was expected', async ({ subject }) => {
      const datastore = datastoreOf(subject)
      const { version } = await datastore.set('carts', 'c1', { items: [1], open: true })

      const byVersion = await datastore.compareAndSet('carts', 'c1', { expected: { version }, value: 'a' })
      const late = await datastore.compareAndSet('carts', 'c1', { expected: { version }, value: 'b' })
      const byValue = await datastore.compareAndSet('carts', 'c1', { expected: { value: 'a' }, value: { x: 1, y: 2 } })
      const otherOrder = await datastore.compareAndSet('carts', 'c1', {
        expected: { value: { y: 2, x: 1 } },
        value: 'c',
        ttlSeconds: 60,
      })
      const wrong = await datastore.compareAndSet('carts', 'c1', { expected: { value: 'a' }, value: 'd' })
      const absent = await datastore.compareAndSet('carts', 'none', { expected: { value: null }, value: 'd' })

      expect([byVersion, late, byValue, otherOrder, wrong, absent].map(({ stored }) => stored)).toEqual([
        true,
        false,
        true,
        true,
        false,
        false,
      ])
      expect(wrong.current).toMatchObject({ value: 'c' })
      expect(absent.current).toBeUndefined()
      expect(otherOrder.current?.expiresAt?.getTime()).toBeGreaterThan(Date.now())
    })

    test('is never seen past its time, and then removed by upkeep', async ({ subject }) => {
      const datastore = datastoreOf(subject)
      await datastore.set('seen', 'old', 1, { ttlSeconds: 60 })
      await datastore.set('seen', 'young', 1, { ttlSeconds: 60 })
      await datastore.set('other', 'stays', 1)
      await datastore.increment('gone', 'old')
      await expire(subject, 'old')

      expect(await datastore.get('seen', 'old')).toBeUndefined()
      expect((await datastore.list('seen')).items.map(({ key }) => key)).toEqual(['young'])
      expect((await datastore.namespaces()).items.map(({ namespace }) => namespace)).toEqual(['other', 'seen'])
      expect(await datastore.delete('seen', 'old')).toBe(false)
      expect((await datastore.increment('gone', 'old', { by: 5 })).value).toBe(5)

      const task = { environment: undefined, name: 'datastore', firstInSeconds: 0 }
      const request = { tasks: [task], worker: 'w', leaseSeconds: 30, isDueNow: true }
      await subject.store.upkeep.claim(request)
      const claimed = await subject.store.upkeep.claim(request)
      if (claimed.kind !== 'claimed') throw new Error('The task is due.')
      const { lease } = claimed
      const run = expiryTask(subject.store.datastore).run
      const done = await run({ lease, mayContinue: () => true, signal: new AbortController().signal })

      expect(done.counts).toEqual({ values: 1 })
      const rows = await subject.query(`select key from "${subject.schema}".datastore order by namespace, key`)
      expect(rows).toEqual([{ key: 'old' }, { key: 'stays' }, { key: 'young' }])
      expect(await subject.store.datastore.removeExpired({ ...lease, fence: '0' }, 10)).toBe('lease_lost')
    })

    test('counts, and keeps the time to live that it was made with', async ({ subject }) => {
      const datastore = datastoreOf(subject)

      const made = await datastore.increment('hits', 'ada', { ttlSeconds: 60 })
      const raised = await datastore.increment('hits', 'ada', { by: 2.5, ttlSeconds: 1 })
      await datastore.set('hits', 'text', 'no number')

      expect([made.value, raised.value]).toEqual([1, 3.5])
      expect(raised.expiresAt).toEqual(made.expiresAt)
      await expect(datastore.increment('hits', 'text')).rejects.toThrow(/holds something that is no number/)
      expect((await datastore.get('hits', 'text'))?.value).toBe('no number')
    })

    test('is deleted once, and by version only if it is that one', async ({ subject }) => {
      const datastore = datastoreOf(subject)
      const { version } = await datastore.set('carts', 'c1', 1)
      await datastore.set('carts', 'c1', 2)

      expect(await datastore.delete('carts', 'c1', { ifVersion: version })).toBe(false)
      expect(await datastore.delete('carts', 'c1')).toBe(true)
      expect(await datastore.delete('carts', 'c1')).toBe(false)
    })
  })

  describe('browsing the datastore', () => {
    test('goes page by page through a prefix, in the order of code points', async ({ subject }) => {
      const datastore = datastoreOf(subject)
      const keys = ['b', 'a\u{10ffff}z', 'a:2', 'a%', 'a', 'aé', 'A', 'a:10', 'a\ud7ff', 'a\u{1f600}']
      for (const key of keys) await datastore.set('letters', key, key)
      await datastore.set('other', 'a', 1)

      const found: string[] = []
      let after: string | undefined
      do {
        const page = await datastore.list('letters', { prefix: 'a', limit: 3, after })
        found.push(...page.items.map(({ key }) => key))
        after = page.next
      } while (after !== undefined)

      expect(found).toEqual(['a', 'a%', 'a:10', 'a:2', 'aé', 'a\ud7ff', 'a\u{1f600}', 'a\u{10ffff}z'])
      expect((await datastore.list('letters', { prefix: 'a:' })).items).toHaveLength(2)
      expect((await datastore.list('letters', { prefix: 'a\ud7ff' })).items).toHaveLength(1)
      expect((await datastore.list('letters', { prefix: '\u{10ffff}' })).items).toHaveLength(0)
      expect((await datastore.list('letters', { prefix: "a' or true --" })).items).toEqual([])
    })

    test('ends a page early when its values are large, and goes on after it', async ({ subject }) => {
      const datastore = datastoreOf(subject)
      const large = 'x'.repeat(65_000)
      for (let number = 10; number < 30; number += 1) await datastore.set('large', String(number), large)

      const first = await datastore.list('large', { limit: 200 })
      const second = await datastore.list('large', { limit: 200, after: first.next })

      expect(first.items.length).toBeLessThan(20)
      expect([...first.items, ...second.items].map(({ key }) => key)).toEqual(
        Array.from({ length: 20 }, (_, index) => String(index + 10)),
      )
      expect(second.next).toBeUndefined()
    })

    test('lists namespaces with their number of keys, page by page', async ({ subject }) => {
      const datastore = datastoreOf(subject)
      await datastore.set('b', '1', 1)
      await datastore.set('a', '1', 1)
      await datastore.set('a', '2', 1)
      await datastore.set('B', '1', 1)

      const first = await datastore.namespaces({ limit: 2 })
      const second = await datastore.namespaces({ limit: 2, after: first.next })

      expect(first).toEqual({
        items: [
          { namespace: 'B', keys: 1, hasMoreKeys: false },
          { namespace: 'a', keys: 2, hasMoreKeys: false },
        ],
        next: 'a',
      })
      expect(second).toEqual({ items: [{ namespace: 'b', keys: 1, hasMoreKeys: false }], next: undefined })
    })
  })

  describe('a change in a transaction', () => {
    test('is undone with it', async ({ subject: { store } }) => {
      const rolledBack = store.transaction(async ({ effects }) => {
        const { datastore } = effects()
        await datastore.write({ ...place, text: '1', ttlSeconds: undefined, when: 'always' })
        expect(await datastore.lock(place)).toMatchObject({ text: '1' })
        throw new Error('roll back')
      })

      await expect(rolledBack).rejects.toThrow('roll back')
      expect(await store.datastore.read(place)).toBeUndefined()
    })
  })

  const place = { environment: 'test', namespace: 'carts', key: 'c1' }
}
