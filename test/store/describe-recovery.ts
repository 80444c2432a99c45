import { describe, expect } from 'vitest'
import type { HeldRun, RunRequest } from '../../src/store/recovery-store.ts'
import { codeOf, type MakeStore, newReceipt, type StoreUnderTest } from './store-under-test.ts'
import { testWithStore } from './test-with-store.ts'

/** Runs, histories, watches and imports. */
export function describeRecovery<Tx>(makeStore: MakeStore<Tx>): void {
  const test = testWithStore(makeStore)
  const wish = { environment: 'test', source: 'stripe', kind: 'backfill', plan: '{}', holdSeconds: 60 } as const

  async function open({ store }: StoreUnderTest<Tx>, parts: Partial<RunRequest> = {}): Promise<HeldRun> {
    const opened = await store.recovery.openRun({ ...wish, holder: 'one', ...parts })
    if (opened.kind !== 'open') throw new Error('The run is held by somebody else.')
    return opened.run
  }

  describe('recovery', () => {
    test('gives a run to one at a time, with how far it came', async ({ subject }) => {
      const { recovery } = subject.store
      const run = await open(subject)
      await recovery.saveRun(run, { cursor: 'c', counts: { listed: 3 } })

      const held = await recovery.openRun({ ...wish, holder: 'two' })
      await recovery.releaseRun(run)
      const taken = await recovery.openRun({ ...wish, holder: 'two' })
      const lost = await codeOf(recovery.saveRun(run, { cursor: 'd', counts: {} }))
      const isFinished = await recovery.finishRun({ ...run, holder: 'two' })
      const anew = await open(subject, { holder: 'three' })

      expect(held).toMatchObject({ kind: 'held', runId: run.id, holder: 'one' })
      expect(taken).toMatchObject({ kind: 'open', progress: { cursor: 'c', counts: { listed: 3 }, failures: [] } })
      expect(lost).toBe('ONCEHOOK_RUN_LOST')
      expect([isFinished, await recovery.renewRun(run), await recovery.renewRun(anew)]).toEqual([true, false, true])
      expect(await recovery.findRuns('test', { kind: 'backfill', source: 'stripe', isFinished: false })).toMatchObject([
        { id: anew.id, counts: {}, finishedAt: undefined },
      ])
    })

    test('records a history once, marked, beside how far the run came', async ({ subject }) => {
      const { store, schema, query } = subject
      const { recovery } = store
      const occurredAt = new Date('2026-01-01T00:00:00Z')
      await store.recordReceipts([newReceipt({ eventId: 'evt_1', event: { objectId: 'in_1', occurredAt } })])
      const run = await open(subject)
      const receipts = ['evt_1', 'evt_2'].map((eventId) => newReceipt({ eventId, secretIndex: undefined }))

      const recorded = await recovery.recordHistory({ receipts, run, progress: { cursor: 'c', counts: { known: 1 } } })

      expect(recorded).toEqual({ recorded: 1, known: 1, busy: [] })
      expect(await query(`select event_id, origin, status from "${schema}".receipts order by id`)).toEqual([
        { event_id: 'evt_1', origin: null, status: 'received' },
        { event_id: 'evt_2', origin: 'backfill', status: 'received' },
      ])
      expect(await query(`select cursor, counts from "${schema}".recoveries`)).toEqual([
        { cursor: 'c', counts: '{"known":2,"recorded":1}' },
      ])
      expect(await recovery.knownEvents('test', 'stripe', ['evt_0', 'evt_2'])).toEqual(['evt_2'])
      expect(await recovery.queuedEvents('test', 'stripe', 10)).toBe(2)
      const objects = [
        { id: 'in_1', since: new Date('2026-01-02T00:00:00Z') },
        { id: 'in_1', since: occurredAt },
        { id: 'in_2', since: occurredAt },
      ]
      expect(await recovery.coveredObjects('test', 'stripe', objects)).toEqual([1])
    })

    test('takes over the rows of a table, and looks after sources', async ({ subject }) => {
      const { store, schema, query } = subject
      const { recovery } = store
      await query(`create table "${schema}".legacy (id int primary key, event_id text, at timestamptz)`)
      await query(`insert into "${schema}".legacy values (1, 'evt_1', now()), (2, 'evt_2', null), (3, 'evt_3', now())`)
      const names = { type: undefined, status: undefined, objectId: undefined, key: undefined, processedAt: 'at' }
      const table = await recovery.resolveTable({
        table: `${schema}.legacy`,
        eventId: [{ column: 'event_id' }],
        ...names,
      })
      const batch = {
        environment: 'test',
        source: 'stripe',
        table,
        where: undefined,
        defaultType: 'imported',
        processedStatuses: undefined,
        others: 'leave',
        cursor: undefined,
        limit: 2,
      } as const
      const run = await open(subject, { kind: 'import' })

      const first = await recovery.importRows({ batch, run, counts: {} })
      const second = await recovery.importRows({ batch: { ...batch, cursor: first.cursor }, run, counts: {} })
      const preview = await recovery.previewImport(batch)
      const [before] = await recovery.readWatches('test', ['stripe'])
      await recovery.saveWatches(
        'test',
        [before].flatMap((watch) => watch ?? []),
      )
      const [after] = await recovery.readWatches('test', ['stripe'])

      expect(first).toEqual({
        cursor: '["2"]',
        rows: 2,
        imported: 1,
        deadLetters: 0,
        known: 0,
        leftOut: 1,
        withoutId: 0,
      })
      expect(second).toMatchObject({ rows: 1, imported: 1 })
      expect(preview).toMatchObject({ rows: 2, imported: 0, known: 1, leftOut: 1 })
      expect(before).toMatchObject({ source: 'stripe', lookedAt: undefined, pauseSeconds: 0 })
      expect(after?.lookedAt?.getTime()).toBeGreaterThan(0)
    })
  })
}
