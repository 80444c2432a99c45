import { describe, expect } from 'vitest'
import type { EpisodeChange } from '../../src/store/alert-store.ts'
import type { UpkeepLease } from '../../src/store/upkeep-store.ts'
import { until } from '../support/until.ts'
import { type MakeStore, newReceipt, type StoreUnderTest } from './store-under-test.ts'
import { testWithStore } from './test-with-store.ts'

/** What alerts are made from, and their episodes. */
export function describeAlerts<Tx>(makeStore: MakeStore<Tx>): void {
  const test = testWithStore(makeStore)

  describe('alerts', () => {
    test('are made from what is counted, and tell each change of an episode once', async ({ subject }) => {
      const { store, schema, query } = subject
      const { alerts } = store
      const lease = await leased(subject)
      await alerts.countTraffic(lease)
      await store.recordReceipts([newReceipt({ eventId: 'one' }), newReceipt({ eventId: 'two' })])
      const tally = { source: 'stripe', answered: 2, near: 1, late: 0, slowestMilliseconds: 12.5 }
      await alerts.noteAnswers('test', [tally])
      const situation = await until(
        async () => {
          await alerts.countTraffic(lease)
          return alerts.situation('test', { sources: ['stripe', 'github'], quietMinutes: 30, awaySeconds: 600 })
        },
        ({ sources }) => sources[0]?.window.events === 2,
      )
      expect(situation.sources[0]?.window).toMatchObject({
        handled: 2,
        answered: 2,
        near: 1,
        slowestMilliseconds: 12.5,
      })
      expect(situation).toMatchObject({ lag: { waiting: 2, source: 'stripe' }, open: [], mutes: [], deadLetters: [] })

      const opening = change(situation.at, 'opened')
      expect(await alerts.change('test', lease, [opening])).toBe(1)
      expect(await alerts.change('test', lease, [opening])).toBe(0)
      const [open] = await alerts.find('test', { isOpen: true })
      expect(open).toMatchObject({
        rule: 'lag',
        source: undefined,
        openedAt: situation.at,
        openingFigures: { seconds: 9 },
      })
      expect(await alerts.acknowledge('test', open?.id ?? '', { by: 'ada', why: 'nul \u0000' })).toBe(true)
      const resolving = { ...change(situation.at, 'resolved'), kind: 'resolve', id: open?.id ?? '' } as const
      expect(await alerts.change('test', lease, [resolving])).toBe(1)
      expect(await alerts.change('test', lease, [resolving])).toBe(0)
      expect(await alerts.find('test', { isOpen: true })).toEqual([])
      expect(await alerts.find('test', { rule: 'lag' })).toMatchObject([
        { resolvedAt: situation.at, acknowledged: { by: 'ada' } },
      ])
      expect(await query(`select key, receipt_id, source from "${schema}".outbox order by id`)).toEqual([
        { key: 'opened', receipt_id: null, source: '*' },
        { key: 'resolved', receipt_id: null, source: '*' },
      ])
      const claim = { environment: 'test', target: 'ops', worker: 'w', limit: 5, leaseSeconds: 30 }
      expect(await store.outbox.claim(claim)).toMatchObject([
        { message: { idempotencyKey: 'opened', cause: { source: '*', receiptId: undefined } } },
      ])
    })

    test('are muted by the latest word of each rule and source', async ({ subject }) => {
      const { alerts } = subject.store
      const note = { by: 'ada', why: 'maintenance' }
      const later = new Date(Date.now() + 3_600_000)

      await alerts.mute('test', { rule: 'lag', until: later, ...note })
      await alerts.mute('test', { source: 'stripe', until: later, ...note })
      await alerts.mute('test', { rule: 'lag', until: new Date(), ...note })

      expect(await alerts.mutes('test')).toEqual([
        { id: expect.stringMatching(/^\d+$/), source: 'stripe', until: later, ...note },
      ])
      expect(await alerts.mutes('live')).toEqual([])
    })
  })
}

function change(at: Date, key: string): EpisodeChange {
  const messages: EpisodeChange['messages'] = () => [{ target: 'ops', key, message: '{}' }]
  return { kind: 'open', at, rule: 'lag', source: undefined, figures: { seconds: 9 }, isTold: true, messages }
}

async function leased<Tx>({ store }: StoreUnderTest<Tx>): Promise<UpkeepLease> {
  const tasks = [{ environment: 'test', name: 'alerts', firstInSeconds: -1 }]
  const claim = await until(
    () => store.upkeep.claim({ tasks, worker: 'w', leaseSeconds: 600 }),
    ({ kind }) => kind === 'claimed',
  )
  if (claim.kind !== 'claimed') throw new Error('There is no lease.')
  return claim.lease
}
