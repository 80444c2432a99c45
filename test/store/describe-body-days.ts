import { describe, expect } from 'vitest'
import type { BodyDay } from '../../src/store/retention-store.ts'
import { age, bodyDays, leaseTask, makePastDay } from './past-times.ts'
import { bodyToStore, claimRequest, type MakeStore, newReceipt, type StoreUnderTest } from './store-under-test.ts'
import { testWithStore } from './test-with-store.ts'

const rule = { source: 'stripe', keepDays: 7, keepBodyDays: 3, keepsKeys: false }
const step = { environment: 'test', sources: ['stripe'], after: '0', beforeId: '9000000000000000000', limit: 100 }

/** Bodies: by day, and one by one. */
export function describeBodyDays<Tx>(makeStore: MakeStore<Tx>): void {
  const test = testWithStore(makeStore)

  describe('a day of bodies', () => {
    test('is past when every source says so, and is dropped as a whole', async ({ subject }) => {
      const { store, schema, query } = subject
      const { retention } = store
      const day = await makePastDay(subject, 10)
      await store.recordReceipts([ignored('one'), ignored('two', { source: 'github' })])
      await age(subject, 10)
      const lease = await leaseTask(subject, { environment: '', name: 'bodies' })

      const uncounted = await retention.pastBodyDays()
      await retention.countDays(lease, 100)
      await saveRules(subject, [rule])
      const unknownSource = await retention.pastBodyDays()
      await saveRules(subject, [rule, { ...rule, source: 'github', keepDays: 60, keepBodyDays: 30 }])
      const tooEarly = await retention.pastBodyDays()
      await saveRules(subject, [rule, { ...rule, source: 'github', keepDays: 60, keepBodyDays: 3 }])
      const past = await retention.pastBodyDays()

      expect([uncounted, unknownSource, tooEarly, past]).toEqual([[], [], [], [{ day, isPartition: true }]])
      expect(await retention.emptyBodyDay(lease, dayOf(past))).toBe('done')
      expect(await query(`select id from "${schema}".bodies`)).toEqual([])
      expect(await retention.dropBodyDay(lease, dayOf(past))).toBe('done')
      expect(await bodyDays(subject)).not.toContain(day)
      expect(await query(`select id from "${schema}".receipts`)).toHaveLength(2)
      expect(await retention.days('test', 30)).toMatchObject([
        { source: 'github', added: 0, bodiesPruned: 1, rows: 1 },
        { source: 'stripe', added: 0, bodiesPruned: 1, rows: 1 },
        { source: 'github', day, added: 1, bodiesPruned: 0, rows: 1 },
        { source: 'stripe', day, added: 1, bodiesPruned: 0, rows: 1 },
      ])
    })

    test('leaves behind the bodies of what is in work, dead or held, until they are needed no more', async ({
      subject,
    }) => {
      const { store, schema, query } = subject
      const { retention } = store
      const shared = bodyToStore('shared by two')
      await makePastDay(subject, 10)
      await store.recordReceipts([
        newReceipt({ eventId: 'in work', content: 'of in work' }),
        newReceipt({ eventId: 'dead', disposition: 'failed', body: shared }),
        ignored('sibling', { body: shared }),
        ignored('held', { content: 'of held' }),
        ignored('done', { content: 'of done' }),
      ])
      await retention.hold('test', { eventId: 'held' }, { by: 'ada', why: 'case 17' })
      await age(subject, 10)
      const lease = await leaseTask(subject, { environment: '', name: 'bodies' })
      await retention.countDays(lease, 100)
      await saveRules(subject, [rule])
      const day = dayOf(await retention.pastBodyDays())

      const beforeKeeping = await retention.emptyBodyDay(lease, day)
      const kept = [await retention.keepNeededBodies(lease, day, 2), await retention.keepNeededBodies(lease, day, 2)]
      const afterKeeping = await retention.emptyBodyDay(lease, day)
      await retention.dropBodyDay(lease, day)

      expect([beforeKeeping, afterKeeping]).toEqual(['busy', 'done'])
      expect(kept).toMatchObject([
        { removed: 2, next: '0' },
        { removed: 1, next: undefined },
      ])
      expect(await contents(subject, ['in work', 'dead', 'held', 'done'])).toEqual([
        'of in work',
        'shared by two',
        'of held',
        undefined,
      ])
      const [claim] = await store.claim(claimRequest())
      expect(Buffer.from(claim?.body?.content ?? []).toString()).toBe('of in work')

      await retention.release('test', {}, { by: 'ada', why: 'closed' })
      await query(`update "${schema}".receipts set status = 'processed', failed_at = null where event_id = 'in work'`)
      expect(await retention.pruneKeptBodies(lease, { after: undefined, limit: 2 })).toMatchObject({ kind: 'step' })
      await retention.pruneKeptBodies(lease, { after: undefined, limit: 10 })
      expect(await contents(subject, ['in work', 'dead', 'held'])).toEqual([undefined, 'shared by two', undefined])
      expect(await query(`select id from "${schema}".kept_bodies`)).toHaveLength(1)
    })

    test('without a partition of its own is emptied row by row', async ({ subject }) => {
      const { store, schema, query } = subject
      const { retention } = store
      await store.recordReceipts([
        ...Array.from({ length: 3 }, (_, number) => ignored(`evt_${number}`)),
        ignored('young'),
      ])
      await age(subject, 10, "event_id <> 'young'")
      const lease = await leaseTask(subject, { environment: '', name: 'bodies' })
      await retention.countDays(lease, 100)
      await saveRules(subject, [rule])

      const past = await retention.pastBodyDays()
      const steps = [
        await retention.deleteBodies(lease, dayOf(past), 2),
        await retention.deleteBodies(lease, dayOf(past), 2),
      ]

      expect(past).toMatchObject([{ isPartition: false }])
      expect(steps).toMatchObject([
        { removed: 2, next: '0' },
        { removed: 1, next: undefined },
      ])
      expect(await query(`select id from "${schema}".bodies`)).toHaveLength(1)
      expect(await retention.pastBodyDays()).toEqual([])
      const [today] = await retention.days('test', 1)
      expect(today?.bodiesPruned).toBe(3)
    })

    test('is not touched by who has lost the lease', async ({ subject }) => {
      const { store, schema, query } = subject
      const day = { day: await makePastDay(subject, 10), isPartition: true }
      await store.recordReceipts([ignored('one')])
      await age(subject, 10)
      const late = await leaseTask(subject, { environment: '', name: 'bodies' })
      await leaseTask(subject, { environment: '', name: 'bodies' })

      expect(await store.retention.emptyBodyDay(late, day)).toBe('lease_lost')
      expect(await store.retention.dropBodyDay(late, day)).toBe('lease_lost')
      expect(await store.retention.deleteBodies(late, day, 10)).toEqual({ kind: 'lease_lost' })
      expect(await query(`select id from "${schema}".bodies`)).toHaveLength(1)
    })
  })

  describe('bodies that are kept for a shorter time than others', () => {
    test('go one by one, but for those that are needed', async ({ subject }) => {
      const { store, schema, query } = subject
      const { retention } = store
      const shared = bodyToStore('shared by two')
      await store.recordReceipts([
        ignored('one', { body: shared }),
        newReceipt({ eventId: 'dead', disposition: 'failed', body: shared }),
        ignored('young'),
        ignored('of another source', { source: 'github' }),
      ])
      await age(subject, 4, "event_id <> 'young'")
      const lease = await leaseTask(subject)
      const plan = await retention.saveRules(lease, 'test', [
        rule,
        { ...rule, source: 'github', keepDays: 60, keepBodyDays: 30 },
      ])

      const first = await retention.pruneBodies(lease, { ...step, limit: 1 })

      expect(plan.map(({ source, needsPruneBodies }) => [source, needsPruneBodies])).toEqual([
        ['github', false],
        ['stripe', true],
      ])
      expect(first).toMatchObject({ removed: 1 })
      await retention.pruneBodies(lease, { ...step, after: 'next' in first ? (first.next ?? '0') : '0' })
      expect(await query(`select id from "${schema}".bodies`)).toHaveLength(2)
      expect(await contents(subject, ['dead', 'young'])).toEqual(['shared by two', '{}'])
      expect(await query(`select id from "${schema}".receipts`)).toHaveLength(4)
    })
  })

  describe('counting the days', () => {
    test('reads every receipt once, when all of its time have come', async ({ subject }) => {
      const { store } = subject
      await store.recordReceipts([ignored('a'), ignored('b'), ignored('c'), ignored('fresh')])
      await age(subject, 2, "event_id <> 'fresh'")
      await age(subject, 1, "event_id = 'b'")
      const lease = await leaseTask(subject, { environment: '', name: 'bodies' })

      const steps = [
        await store.retention.countDays(lease, 2),
        await store.retention.countDays(lease, 2),
        await store.retention.countDays(lease, 2),
      ]

      expect(steps.map((result) => 'next' in result && result.next !== undefined)).toEqual([true, false, false])
      expect(await store.retention.days('test', 30)).toMatchObject([
        { source: 'stripe', added: 2, pruned: 0, rows: 3 },
        { source: 'stripe', added: 1, pruned: 0, rows: 1 },
      ])
      expect(await store.retention.days('test', 1)).toEqual([])
    })
  })
}

function dayOf([day]: readonly BodyDay[]): BodyDay {
  if (day === undefined) throw new Error('No day is past.')
  return day
}

async function saveRules<Tx>(subject: StoreUnderTest<Tx>, rules: readonly (typeof rule)[]): Promise<void> {
  await subject.store.retention.saveRules(await leaseTask(subject), 'test', rules)
}

function ignored(eventId: string, parts: Parameters<typeof newReceipt>[0] = {}): ReturnType<typeof newReceipt> {
  return newReceipt({ eventId, disposition: 'ignored', ...parts })
}

async function contents<Tx>(
  { store }: StoreUnderTest<Tx>,
  eventIds: readonly string[],
): Promise<readonly (string | undefined)[]> {
  return Promise.all(
    eventIds.map(async (eventId) => {
      const [receipt] = await store.findReceipts('test', { eventId })
      const body = await store.readBody('test', receipt?.id ?? '')
      return body === undefined ? undefined : Buffer.from(body.content).toString()
    }),
  )
}
