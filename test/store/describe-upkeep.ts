import { describe, expect } from 'vitest'
import type { UpkeepClaim, UpkeepEnding, UpkeepLease, UpkeepStore } from '../../src/store/upkeep-store.ts'
import { type MakeStore, type StoreUnderTest } from './store-under-test.ts'
import { testWithStore } from './test-with-store.ts'

/** The tasks of upkeep, and their leases. */
export function describeUpkeep<Tx>(makeStore: MakeStore<Tx>): void {
  const test = testWithStore(makeStore)

  describe('a task of upkeep', () => {
    test('is due for the first time when it was asked for, and not before', async ({ subject }) => {
      const { upkeep } = subject.store

      const first = await claimTask(upkeep, { firstInSeconds: 1800 })
      const second = await claimTask(upkeep, { firstInSeconds: 5 })

      expect([first.kind, second.kind]).toEqual(['nothing_due', 'nothing_due'])
      for (const claim of [first, second]) {
        const { millisecondsUntilDue } = claim as Extract<UpkeepClaim, { kind: 'nothing_due' }>
        expect(millisecondsUntilDue).toBeGreaterThan(1_700_000)
        expect(millisecondsUntilDue).toBeLessThanOrEqual(1_800_000)
      }
    })

    test('belongs to one process until it is finished, and is then due again when that one said', async ({
      subject,
    }) => {
      const { upkeep } = subject.store
      const lease = await leased(subject)

      const other = await claimTask(upkeep)
      const isFinished = await upkeep.finish(lease, ending({ nextInSeconds: 7200, detail: 'all of it' }))
      const later = await claimTask(upkeep)

      expect([other.kind, isFinished, later.kind]).toEqual(['nothing_due', true, 'nothing_due'])
      expect((later as { millisecondsUntilDue: number }).millisecondsUntilDue).toBeGreaterThan(7_000_000)
      expect(await rows(subject)).toMatchObject([
        { environment: 'test', task: 'sweep', leased_by: null, outcome: 'done', detail: 'all of it' },
      ])
    })

    test('is taken over when its lease has run out, and the late one changes nothing', async ({ subject }) => {
      const { upkeep } = subject.store
      const late = await leased(subject)
      await expireLease(subject)

      const lease = await leased(subject)

      expect(BigInt(lease.fence)).toBeGreaterThan(BigInt(late.fence))
      expect(await upkeep.renewLeases([late, lease], 60)).toEqual([lease.fence])
      expect(await upkeep.finish(late, ending())).toBe(false)
      expect(await upkeep.finish(lease, ending())).toBe(true)
      expect(await upkeep.finish(lease, ending())).toBe(false)
      expect(await upkeep.renewLeases([lease], 60)).toEqual([])
    })

    test('is apart for each environment, unless it is for all of them', async ({ subject }) => {
      const { upkeep } = subject.store
      await register(subject, [
        { environment: 'test' },
        { environment: 'other' },
        { environment: undefined, name: 'all' },
      ])

      const claims = [
        await claimTask(upkeep, { environment: 'test' }),
        await claimTask(upkeep, { environment: 'other' }),
        await claimTask(upkeep, { environment: undefined, name: 'all' }),
        await claimTask(upkeep, { environment: undefined, name: 'all' }),
      ]

      expect(claims.map((claim) => (claim.kind === 'claimed' ? claim.lease.environment : claim.kind))).toEqual([
        'test',
        'other',
        undefined,
        'nothing_due',
      ])
    })
  })

  describe('day partitions of bodies', () => {
    test('are made for today and the next days, but only by who holds the lease', async ({ subject }) => {
      const { store, schema, query } = subject
      const late = await leased(subject)
      await expireLease(subject)
      const lease = await leased(subject)
      const days = async (): Promise<readonly string[]> =>
        (
          await query<{ name: string }>(
            `select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid where inhparent = '"${schema}".bodies'::regclass order by 1`,
          )
        ).map(({ name }) => name)
      const made = await days()
      for (const name of made.slice(-3, -1)) await query(`drop table "${schema}".${name}`)

      const byLate = await store.retention.prepareBodyDays(late)
      const byHolder = await store.retention.prepareBodyDays(lease)

      expect([byLate, byHolder, await store.retention.prepareBodyDays(lease)]).toEqual([0, 2, 0])
      expect(await days()).toEqual(made)
      expect(made).toHaveLength(5)
    })
  })
}

type Task = { readonly environment?: string | undefined; readonly name?: string; readonly firstInSeconds?: number }

function claimTask(upkeep: UpkeepStore, task: Task = {}): Promise<UpkeepClaim> {
  return upkeep.claim({
    tasks: [{ environment: 'test', name: 'sweep', firstInSeconds: 0, ...task }],
    worker: 'process-1',
    leaseSeconds: 60,
  })
}

/** Makes the tasks known, and due. */
async function register<Tx>({ query, schema }: StoreUnderTest<Tx>, tasks: readonly Task[]): Promise<void> {
  for (const { environment = '', name = 'sweep' } of tasks) {
    await query(
      `insert into "${schema}".upkeep (environment, task, next_due_at) values ($1, $2, clock_timestamp())
       on conflict (environment, task) do nothing`,
      [environment, name],
    )
  }
}

/** Holds the task, which is due at once. */
async function leased<Tx>(subject: StoreUnderTest<Tx>, task: Task = {}): Promise<UpkeepLease> {
  await register(subject, [{ environment: 'test', ...task }])
  const claim = await claimTask(subject.store.upkeep, task)
  if (claim.kind !== 'claimed') throw new Error('The task was not claimed.')
  return claim.lease
}

async function expireLease<Tx>({ query, schema }: StoreUnderTest<Tx>): Promise<void> {
  await query(`update "${schema}".upkeep set leased_until = clock_timestamp() - interval '1 second'`)
}

function ending(parts: Partial<UpkeepEnding> = {}): UpkeepEnding {
  return { outcome: 'done', detail: undefined, nextInSeconds: 3600, ...parts }
}

function rows<Tx>({ query, schema }: StoreUnderTest<Tx>): Promise<readonly unknown[]> {
  return query(`select environment, task, leased_by, outcome, detail from "${schema}".upkeep order by 1, 2`)
}
