import { describe, expect } from 'vitest'
import type { SourceStep } from '../../src/store/retention-store.ts'
import { age, leaseTask } from './past-times.ts'
import { handlerRun, type MakeStore, newReceipt, type StoreUnderTest } from './store-under-test.ts'
import { testWithStore } from './test-with-store.ts'

const note = { by: 'ada', why: 'case 17' }
const rule = { source: 'stripe', keepDays: 7, keepBodyDays: 3, keepsKeys: false }
const endless = '9000000000000000000'

/** What is removed, and what keeps it from being so. */
export function describeRetention<Tx>(makeStore: MakeStore<Tx>): void {
  const test = testWithStore(makeStore)

  describe('pruning receipts', () => {
    test('removes what is past its days with all that hangs on it, and nothing else', async ({ subject }) => {
      const { store, schema, query } = subject
      await store.recordReceipts([
        ...['old', 'young'].map((eventId) => finished(eventId)),
        finished('of another source', { source: 'github' }),
        finished('of another environment', { environment: 'other' }),
      ])
      await giveLogs(subject, ['old', 'young'])
      await age(subject, 8, "event_id <> 'young'")
      const lease = await leaseTask(subject)
      await store.retention.saveRules(lease, 'test', [rule])

      const result = await store.retention.pruneReceipts(lease, step())

      expect(result).toEqual({ kind: 'step', removed: 1, next: undefined })
      expect(await eventIds(subject)).toEqual(['of another environment', 'of another source', 'young'])
      for (const table of ['attempts', 'deliveries']) {
        expect(await query(`select event_id from "${schema}".${table}`)).toEqual([{ event_id: 'young' }])
      }
      for (const table of ['completions', 'outbox', 'replays', 'holds']) {
        expect(await query(`select receipt_id from "${schema}".${table}`)).toHaveLength(1)
      }
      // Keys protect against other events too, so they stay.
      expect(await query(`select key from "${schema}".effects`)).toHaveLength(2)
    })

    test('passes by what is in work, dead, held or not all sent, and comes back for it', async ({ subject }) => {
      const { store, schema, query } = subject
      await store.recordReceipts([
        newReceipt({ eventId: 'in work' }),
        newReceipt({ eventId: 'dead', disposition: 'failed' }),
        finished('held'),
        finished('unsent'),
        finished('done'),
      ])
      await giveMessage(subject, 'unsent', 'pending')
      await store.retention.hold('test', { eventId: 'held' }, note)
      await age(subject, 8)
      const lease = await leaseTask(subject)
      await store.retention.saveRules(lease, 'test', [rule])

      await store.retention.pruneReceipts(lease, step())
      const stillThere = await eventIds(subject)
      const tooEarly = await store.retention.pruneOverdue(lease, step())
      await store.retention.release('test', { eventId: 'held' }, note)
      await query(`update "${schema}".outbox set status = 'published'`)
      await query(`delete from "${schema}".queue`)
      await query(`update "${schema}".receipts set status = 'processed', failed_at = null`)
      const after = await store.retention.pruneOverdue(lease, step())

      expect(stillThere).toEqual(['dead', 'held', 'in work', 'unsent'])
      expect([tooEarly, after]).toMatchObject([{ removed: 0 }, { removed: 4 }])
      expect(await eventIds(subject)).toEqual([])
      expect(await query(`select receipt_id from "${schema}".overdue`)).toEqual([])
    })

    test('goes in small steps, each of which remembers how far it came', async ({ subject }) => {
      const { store } = subject
      const { retention } = store
      await store.recordReceipts(Array.from({ length: 5 }, (_, number) => finished(`evt_${number}`)))
      await age(subject, 8)
      const lease = await leaseTask(subject)
      await retention.saveRules(lease, 'test', [rule])

      const first = await retention.pruneReceipts(lease, step({ limit: 2 }))
      const [plan] = await retention.readRules('test')

      expect(first).toEqual({ kind: 'step', removed: 2, next: plan?.prunedTo })
      const second = await retention.pruneReceipts(lease, step({ limit: 2, after: plan?.prunedTo ?? '' }))
      const third = await retention.pruneReceipts(
        lease,
        step({ limit: 2, after: 'next' in second ? (second.next ?? '') : '' }),
      )
      expect([second, third]).toMatchObject([{ removed: 2 }, { removed: 1, next: undefined }])
      expect(await eventIds(subject)).toEqual([])
    })

    test('is not done by who has lost the lease', async ({ subject }) => {
      const { store, schema, query } = subject
      await store.recordReceipts([finished('old')])
      await age(subject, 8)
      const late = await leaseTask(subject)
      await store.retention.saveRules(late, 'test', [rule])
      await leaseTask(subject)

      const results = [
        await store.retention.pruneReceipts(late, step()),
        await store.retention.pruneBodies(late, step()),
        await store.retention.pruneOverdue(late, step()),
        await store.retention.countDays(late, 10),
        await store.retention.pruneLog(late, 'attempts', {
          environment: 'test',
          olderThanDays: 0,
          after: undefined,
          limit: 10,
        }),
      ]

      expect(results.map(({ kind }) => kind)).toEqual(Array.from({ length: 5 }, () => 'lease_lost'))
      expect(await eventIds(subject)).toEqual(['old'])
      expect(await query(`select pruned_to::int, bodies_pruned_to::int from "${schema}".retention`)).toEqual([
        { pruned_to: 0, bodies_pruned_to: 0 },
      ])
    })

    test('can be tried without removing anything', async ({ subject }) => {
      const { store } = subject
      await store.recordReceipts([finished('old'), newReceipt({ eventId: 'in work' })])
      await age(subject, 8)
      await store.retention.saveRules(await leaseTask(subject), 'test', [rule])

      expect(await store.retention.countPrunable(step())).toEqual({ kind: 'step', removed: 1, next: undefined })
      expect(await eventIds(subject)).toEqual(['in work', 'old'])
    })

    test('leaves everything alone once the rules are taken back', async ({ subject }) => {
      const { store } = subject
      await store.recordReceipts([finished('old')])
      await age(subject, 800)
      const lease = await leaseTask(subject)
      await store.retention.saveRules(lease, 'test', [rule])

      await store.retention.removeRules(lease, 'test')

      expect(await store.retention.pruneReceipts(lease, step())).toMatchObject({ removed: 0 })
      expect(await eventIds(subject)).toEqual(['old'])
    })
  })

  describe('an event that is remembered for ever', () => {
    test('is known by its key once its receipt is gone, which it is only when the key can be seen by all', async ({
      subject,
    }) => {
      const { store, schema, query } = subject
      const [first] = await store.recordReceipts([finished('old')])
      await age(subject, 8)
      const lease = await leaseTask(subject)
      await store.retention.saveRules(lease, 'test', [{ ...rule, keepsKeys: true }])

      const withoutKey = await store.retention.pruneReceipts(lease, step())
      await store.retention.keepKeys(lease, step())
      const tooEarly = await store.retention.pruneOverdue(lease, step())
      await query(`update "${schema}".retention set keys_kept_at = keys_kept_at - interval '11 minutes'`)
      const inTime = await store.retention.pruneOverdue(lease, step())
      const again = await store.recordReceipts([
        finished('old', { isKeyKept: true, content: 'another' }),
        finished('new', { isKeyKept: true }),
        finished('of another source', { source: 'github' }),
      ])
      const inline = await store.transaction((open) =>
        open.recordReceipt(finished('old', { isKeyKept: true, disposition: 'inline' })),
      )

      expect([withoutKey, tooEarly, inTime]).toMatchObject([{ removed: 0 }, { removed: 0 }, { removed: 1 }])
      expect(again).toMatchObject([
        { kind: 'duplicate', receiptId: first?.receiptId, status: 'processed', isMutated: false },
        { kind: 'first' },
        { kind: 'first' },
      ])
      expect(inline).toMatchObject({ kind: 'duplicate', receiptId: first?.receiptId })
      expect(await eventIds(subject)).toEqual(['new', 'of another source'])
    })
  })

  describe('what has no receipt', () => {
    test('goes by its own age', async ({ subject }) => {
      const { store, schema, query } = subject
      await store.recordReceipts([finished('kept')])
      await giveLogs(subject, ['kept', 'gone'])
      await query(
        `insert into "${schema}".refusals values ('test', 'stripe', 'forged', now(), 3), ('test', 'stripe', 'forged', now() - interval '40 days', 2)`,
      )
      await query(
        `insert into "${schema}".shadow_calls (id, place, environment, source, verdict, worker, started_at)
        select format('0000000%s-0000-7000-8000-000000000000', number)::uuid, 0, 'test', 'stripe', 'unread', 'web-1',
          now() - number % 2 * interval '40 days'
        from generate_series(1, 2) as number`,
      )
      for (const [table, time] of [
        ['attempts', 'ended_at'],
        ['deliveries', 'at'],
        ['effects', 'applied_at'],
        ['changes', 'noted_at'],
        ['versions', 'updated_at'],
      ] as const) {
        await query(`update "${schema}".${table} set ${time} = ${time} - interval '40 days'`)
      }
      const lease = await leaseTask(subject)
      const logs = ['deliveries', 'shadow_calls', 'refusals', 'attempts', 'effects', 'versions', 'changes'] as const

      const removed: Record<string, number> = {}
      for (const log of logs) {
        let after: string | undefined
        do {
          const result = await store.retention.pruneLog(lease, log, {
            environment: 'test',
            olderThanDays: 30,
            after,
            limit: 1,
          })
          if (result.kind === 'lease_lost') throw new Error('The lease was lost.')
          removed[log] = (removed[log] ?? 0) + result.removed
          after = result.next
        } while (after !== undefined)
      }

      expect(removed).toEqual({
        deliveries: 2,
        shadow_calls: 1,
        refusals: 1,
        attempts: 1,
        effects: 1,
        versions: 1,
        changes: 1,
      })
      expect(await query(`select event_id from "${schema}".attempts`)).toEqual([{ event_id: 'kept' }])
      expect(await query(`select key from "${schema}".effects`)).toEqual([{ key: 'kept' }])
    })
  })

  describe('a hold', () => {
    test('is recorded with who, when and why, and so is its end', async ({ subject }) => {
      const { store } = subject
      const [recorded] = await store.recordReceipts([finished('one'), finished('two')])
      const { retention } = store

      const held = await retention.hold('test', { eventId: 'one' }, note)
      const again = await retention.hold('test', { source: 'stripe' }, { by: 'bob', why: 'all' })
      const found = await store.findReceipts('test', { isHeld: true })
      await retention.release('test', { eventId: 'two' }, { by: 'eve', why: 'closed' })

      expect(held).toEqual([recorded?.receiptId])
      expect(again).toHaveLength(1)
      expect(found.map(({ eventId, heldAt }) => [eventId, heldAt instanceof Date])).toEqual([
        ['two', true],
        ['one', true],
      ])
      expect(await store.findReceipts('test', { isHeld: true })).toMatchObject([{ eventId: 'one' }])
      expect(await store.findReceipts('test', { isHeld: false })).toMatchObject([{ eventId: 'two', heldAt: undefined }])
      const [two] = await store.findReceipts('test', { eventId: 'two' })
      expect(await store.timeline('test', two?.id ?? '')).toMatchObject([
        { kind: 'received' },
        { kind: 'hold', by: 'bob', why: 'all' },
        { kind: 'release', by: 'eve', why: 'closed' },
      ])
    })

    test('needs a name and a reason', async ({ subject }) => {
      const { hold, release } = subject.store.retention

      await expect(hold('test', {}, { by: ' ', why: '' })).rejects.toMatchObject({ code: 'ONCEHOOK_INVALID_OPTIONS' })
      await expect(release('test', {}, { by: 'a', why: '' })).rejects.toThrow('why is empty')
    })
  })
}

function step(parts: Partial<SourceStep> = {}): SourceStep {
  return { environment: 'test', sources: ['stripe'], after: '0', beforeId: endless, limit: 100, ...parts }
}

/** A receipt with nothing left to be done. */
function finished(eventId: string, parts: Parameters<typeof newReceipt>[0] = {}): ReturnType<typeof newReceipt> {
  return newReceipt({ eventId, disposition: 'ignored', ...parts })
}

async function eventIds<Tx>({ query, schema }: StoreUnderTest<Tx>): Promise<readonly unknown[]> {
  return (await query(`select event_id from "${schema}".receipts order by event_id`)).map((row) => row['event_id'])
}

async function giveMessage<Tx>({ query, schema }: StoreUnderTest<Tx>, eventId: string, status: string): Promise<void> {
  await query(
    `insert into "${schema}".outbox (environment, target, key, message, receipt_id, source, event_id, status, due_at)
     select 'test', 'email', $1, '{}', coalesce((select id from "${schema}".receipts where event_id = $1), 0), 'stripe', $1, $2, now()`,
    [eventId, status],
  )
}

/** One of everything that an event can leave behind. */
async function giveLogs<Tx>(subject: StoreUnderTest<Tx>, ids: readonly string[]): Promise<void> {
  const { store, query, schema } = subject
  for (const eventId of ids) {
    const id = `coalesce((select id from "${schema}".receipts where event_id = '${eventId}'), 0)`
    const key = { environment: 'test', source: 'stripe', eventId }
    await store.noteRun(key, handlerRun())
    await query(
      `insert into "${schema}".deliveries (environment, source, event_id, kind, at, status, latency_ms)
       values ('test', 'stripe', $1, 'duplicate', now(), 200, 1)`,
      [eventId],
    )
    await giveMessage(subject, eventId, 'published')
    await query(`insert into "${schema}".completions (receipt_id, handler) values (${id}, 'h')`)
    await query(`insert into "${schema}".replays (receipt_id, "by", why) values (${id}, 'ada', 'why')`)
    await query(
      `insert into "${schema}".holds (receipt_id, "by", why, released_by, released_why, released_at) values (${id}, 'a', 'b', 'c', 'd', now())`,
    )
    await query(
      `insert into "${schema}".effects (environment, key, receipt_id, handler) values ('test', $1, ${id}, 'h')`,
      [eventId],
    )
    await query(
      `insert into "${schema}".versions (environment, key, kind, version, shown, receipt_id) values ('test', $1, 'number', '1', '1', ${id})`,
      [eventId],
    )
    await query(
      `insert into "${schema}".changes (environment, source, handler, key, receipt_id) values ('test', 'stripe', 'h', $1, ${id})`,
      [eventId],
    )
  }
}
