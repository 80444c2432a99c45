import { describe, expect } from 'vitest'
import { describeBodyDays } from './describe-body-days.ts'
import { describeRetention } from './describe-retention.ts'
import { describeUpkeep } from './describe-upkeep.ts'
import { age, leaseTask, makePastDay } from './past-times.ts'
import { type MakeStore, newReceipt } from './store-under-test.ts'
import { testWithStore } from './test-with-store.ts'

/** Every promise of upkeep and retention. They are the database's, so that each kind of it is enough. */
export function describeHousekeeping<Tx>(name: string, makeStore: MakeStore<Tx>): void {
  describe(name, () => {
    describeUpkeep(makeStore)
    describeRetention(makeStore)
    describeBodyDays(makeStore)
  })
}

/** Each of its statements once: for every library that carries values to the database and back. */
export function describeHousekeepingInShort<Tx>(makeStore: MakeStore<Tx>): void {
  const test = testWithStore(makeStore)

  describe('upkeep and retention', () => {
    test('remove what is past its days, and leave what must stay', async ({ subject }) => {
      const { store, schema, query } = subject
      const { retention, upkeep } = store
      const day = { day: await makePastDay(subject, 10), isPartition: true }
      await store.recordReceipts([
        newReceipt({ eventId: 'old', disposition: 'ignored' }),
        newReceipt({ eventId: 'dead', disposition: 'failed', content: 'of dead' }),
        newReceipt({ eventId: 'young', disposition: 'ignored' }),
      ])
      await age(subject, 10, "event_id <> 'young'")
      const held = await retention.hold('test', { eventId: 'young' }, { by: 'ada', why: 'case 17' })
      const bodies = await leaseTask(subject, { environment: '', name: 'bodies' })
      const ledger = await leaseTask(subject)
      const rule = { source: 'stripe', keepDays: 7, keepBodyDays: 3, keepsKeys: true }
      const step = { environment: 'test', sources: ['stripe'], after: '0', beforeId: '9000000000000000000', limit: 10 }

      await retention.prepareBodyDays(bodies)
      await retention.countDays(bodies, 10)
      await retention.saveRules(ledger, 'test', [rule])
      const { firstIds, now } = await retention.survey([7])
      await retention.keepKeys(ledger, step)
      await query(`update "${schema}".retention set keys_kept_at = keys_kept_at - interval '1 hour'`)
      const counted = await retention.countPrunable(step)
      const pruned = await retention.pruneReceipts(ledger, step)
      await retention.pruneOverdue(ledger, step)
      const past = await retention.pastBodyDays()
      await retention.keepNeededBodies(bodies, day, 10)
      const emptied = [await retention.emptyBodyDay(bodies, day), await retention.dropBodyDay(bodies, day)]
      await retention.deleteBodies(bodies, day, 10)
      await retention.pruneBodies(ledger, step)
      await retention.pruneKeptBodies(bodies, { after: undefined, limit: 10 })
      for (const log of [
        'deliveries',
        'shadow_calls',
        'refusals',
        'attempts',
        'effects',
        'versions',
        'changes',
      ] as const) {
        await retention.pruneLog(ledger, log, { environment: 'test', olderThanDays: 30, after: undefined, limit: 10 })
      }
      await retention.savePlace(ledger, '{"deliveries":"[1]"}')
      const [again] = await store.recordReceipts([newReceipt({ eventId: 'old', isKeyKept: true })])

      expect([counted, pruned]).toEqual(
        Array.from({ length: 2 }, () => ({ kind: 'step', removed: 1, next: undefined })),
      )
      expect([past, emptied]).toEqual([[day], ['done', 'done']])
      expect(again).toMatchObject({ kind: 'duplicate' })
      const found = await store.findReceipts('test', {})
      expect(found.map(({ eventId }) => eventId).toSorted()).toEqual(['dead', 'young'])
      const [dead] = found.filter(({ eventId }) => eventId === 'dead')
      expect(Buffer.from((await store.readBody('test', dead?.id ?? ''))?.content ?? []).toString()).toBe('of dead')
      expect(await retention.days('test', 30)).toMatchObject([
        { pruned: 1, rows: 1 },
        { day: day.day, added: 2 },
      ])
      expect(await retention.release('test', { isHeld: true }, { by: 'ada', why: 'closed' })).toEqual(held)
      expect([firstIds.length, now instanceof Date]).toEqual([1, true])
      expect(await retention.readPlace(ledger)).toBe('{"deliveries":"[1]"}')
      expect(await upkeep.renewLeases([ledger], 60)).toEqual([ledger.fence])
      expect(await upkeep.finish(ledger, { outcome: 'done', detail: undefined, nextInSeconds: 60 })).toBe(true)
      await retention.removeRules(bodies, 'test')
      expect(await retention.readRules('test')).toEqual([])
    })
  })
}
