import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { test as base } from '../support/database.ts'
import { pgBouncerStarter } from '../support/pgbouncer.ts'
import { type Instance, startInstance } from './serverless-instance.ts'

const secret = 'cron-secret-0123456789'
const cron = { kind: 'cron', authorization: `Bearer ${secret}` } as const
const startPgBouncer = await pgBouncerStarter()

type Platform = {
  /** Starts an instance; it is killed after the test. */
  readonly instance: (databaseUrl?: string) => Promise<Instance>
  readonly effects: () => Promise<readonly string[]>
  readonly statuses: () => Promise<readonly string[]>
  /** Ends every lease, as if its time were over. */
  readonly expireLeases: () => Promise<unknown>
}

const test = base.extend<{ readonly platform: Platform }>({
  platform: async ({ database: { url, schema, query } }, use) => {
    await query(`create table "${schema}".app_effects (event_id text)`)
    const started: Instance[] = []
    const column = async (sql: string): Promise<readonly string[]> =>
      (await query<{ value: string }>(sql)).map(({ value }) => value)
    await use({
      async instance(databaseUrl = url) {
        const one = await startInstance({ DATABASE_URL: databaseUrl, SCHEMA: schema, CRON_SECRET: secret })
        started.push(one)
        return one
      },
      effects: () => column(`select event_id as value from "${schema}".app_effects order by 1`),
      statuses: () => column(`select status as value from "${schema}".receipts order by id`),
      expireLeases: () =>
        query(
          `update "${schema}".queue set due_at = clock_timestamp() - interval '1 second' where leased_by is not null`,
        ),
    })
    for (const { child } of started) child.kill('SIGKILL')
    await Promise.all(started.map(({ ended }) => ended))
  },
})

describe('on a serverless platform', () => {
  test('instances that are killed right after their answer lose nothing, and the cron route finishes', async ({
    platform: { instance, effects, statuses, expireLeases },
  }) => {
    const killed: number[] = []
    for (const id of ['one', 'two', 'one']) {
      const receiving = await instance()
      killed.push((await receiving.ask({ kind: 'deliver', id, work: 'after_answer' })).status)
      receiving.child.kill('SIGKILL')
      await receiving.ended
    }
    // What was begun after an answer and died with it is due when its lease ends, as after any crash.
    await expireLeases()
    const route = await instance()
    const refused = await route.ask({ kind: 'cron', authorization: 'Bearer of-somebody-else' })
    const answer = await route.ask(cron)

    expect(killed).toEqual([202, 202, 200])
    expect([refused.status, answer.status]).toEqual([401, 200])
    expect(await effects()).toEqual(['one', 'two'])
    expect(await statuses()).toEqual(['processed', 'processed'])
  })

  test('an instance that works on after its answer needs no schedule, and ends by itself with nothing left open', async ({
    platform: { instance, effects },
  }) => {
    const only = await instance()
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((id) => only.ask({ kind: 'deliver', id, work: 'after_answer' })),
    )
    await only.reported('handled', 3)
    const file = join(mkdtempSync(join(tmpdir(), 'oncehook-instance-')), 'left.json')
    only.tell({ kind: 'last', file })

    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202])
    expect(await only.ended).toBe(0)
    const left: readonly string[] = JSON.parse(readFileSync(file, 'utf8'))
    // Its output is a pipe to the test.
    expect(left.filter((name) => name !== 'PipeWrap')).toEqual([])
    expect(await effects()).toEqual(['a', 'b', 'c'])
  })

  test('an instance that is frozen while it works commits nothing when it wakes up late', async ({
    platform: { instance, effects, statuses, expireLeases },
  }) => {
    const frozen = await instance()
    await frozen.ask({ kind: 'deliver', id: 'held-1', work: 'after_answer' })
    await frozen.reported('in_handler')
    frozen.child.kill('SIGSTOP')
    await expireLeases()
    const route = await instance()
    route.tell(cron)
    await route.reported('in_handler')
    route.tell({ kind: 'release' })
    const [answer] = await route.reported('answered')

    frozen.child.kill('SIGCONT')
    frozen.tell({ kind: 'release' })
    const [late] = await frozen.reported('handled')

    expect(JSON.parse(answer?.body ?? '')).toMatchObject({ processed: 1 })
    expect(late?.outcome).toBe('lease_lost')
    expect(await effects()).toEqual(['held-1'])
    expect(await statuses()).toEqual(['processed'])
  })

  test.skipIf(startPgBouncer === undefined)(
    'one connection through PgBouncer, which keeps none between transactions, is enough',
    async ({ database, platform: { instance, effects } }) => {
      const pooler = await startPgBouncer?.({ databaseUrl: database.url, poolMode: 'transaction' })
      const receiving = await instance(pooler?.url)
      const { status } = await receiving.ask({ kind: 'deliver', id: 'pooled', work: 'by_schedule' })
      const answer = await receiving.ask(cron)

      expect([status, answer.status]).toEqual([202, 200])
      expect(await effects()).toEqual(['pooled'])
      receiving.child.kill('SIGKILL')
      await pooler?.stop()
    },
  )
})
