import type { ChildProcess } from 'node:child_process'
import { describe, expect } from 'vitest'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { forkProgram } from '../support/compiled.ts'
import { test as base, type TestDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'
import type { PrunerReport } from './pruner-child.ts'

type Pruner = { readonly child: ChildProcess; readonly reports: readonly PrunerReport[] }

const test = base.extend<{ readonly startPruner: () => Promise<Pruner> }>({
  startPruner: async ({ database: { url, schema } }, use) => {
    const children: ChildProcess[] = []
    await use(async () => {
      const child = await forkProgram('test/guarantees/pruner-child.ts', { DATABASE_URL: url, SCHEMA: schema })
      children.push(child)
      const reports: PrunerReport[] = []
      child.on('message', (message) => reports.push(message as PrunerReport))
      await until(
        () => reports.some(({ kind }) => kind === 'ready'),
        (isReady) => isReady,
        60,
      )
      return { child, reports }
    })
    for (const child of children) child.kill('SIGKILL')
  },
})

describe('three processes that prune', () => {
  test('do it one at a time, though one is killed and one is frozen in the middle', { timeout: 120_000 }, async ({
    database,
    startPruner,
  }) => {
    await fill(database, 100)
    const pruners = await Promise.all([startPruner(), startPruner(), startPruner()])

    const killed = await busyPruner(pruners)
    killed.child.send('go on')
    killed.child.kill('SIGKILL')
    const others = pruners.filter((pruner) => pruner !== killed)
    const frozen = await busyPruner(others)
    frozen.child.kill('SIGSTOP')
    const last = others.filter((pruner) => pruner !== frozen)
    const finisher = await busyPruner(last)
    frozen.child.kill('SIGCONT')
    frozen.child.send('go on')
    await until(
      () => frozen.reports.some((report) => report.kind === 'upkeep' && report.outcome === 'lease_lost'),
      (isLate) => isLate,
    )
    finisher.child.send('go on')
    const whole = ['dead', 'held', 'in work']
    await until(
      () => eventIds(database, 'receipts'),
      (left) => left.length <= whole.length,
    )

    expect(await stepsAtOnce(database)).toEqual([])
    for (const table of ['receipts', 'attempts', 'deliveries', 'outbox']) {
      expect(await eventIds(database, table)).toEqual(whole)
    }
  })
})

/** Waits until one of them has taken some steps. It is about to take another. */
async function busyPruner(pruners: readonly Pruner[]): Promise<Pruner> {
  const busy = await until(
    () => pruners.find(({ reports }) => reports.some(({ kind }) => kind === 'waiting')),
    (found) => found !== undefined,
    60,
  )
  if (busy === undefined) throw new Error('Nobody is busy.')
  return busy
}

/** Old receipts with all that hangs on them, and three that must stay. Pruning is due. */
async function fill({ url, schema, query }: TestDatabase, size: number): Promise<void> {
  const store = postgresStore(url, { schema })
  await store.migrate()
  await store.close()
  await query(`create table "${schema}".steps (backend int, began timestamptz, ended timestamptz)`)
  await query(
    `create function "${schema}".note_step() returns trigger language plpgsql as $$ begin
       insert into "${schema}".steps values (pg_backend_pid(), statement_timestamp(), clock_timestamp());
       return null;
     end $$`,
  )
  await query(
    `create trigger note_step after delete on "${schema}".receipts for each statement execute function "${schema}".note_step()`,
  )
  await query(
    `insert into "${schema}".receipts (environment, source, event_id, type, received_at, status, failed_at, held_at, body_hash, body_id)
     select 'default', 'stripe', id, 'a', now() - interval '100 days', status, case when status = 'failed' then now() end,
       case when id = 'held' then now() end, '', gen_random_uuid()
     from (
       select 'evt_' || number as id, 'processed' as status from generate_series(1, $1) as number
       union all values ('dead', 'failed'), ('held', 'processed'), ('in work', 'received')
     ) as event`,
    [size],
  )
  await query(
    `insert into "${schema}".queue (receipt_id, environment, source, due_at) select id, environment, source, now() + interval '1 day' from "${schema}".receipts where event_id = 'in work'`,
  )
  await query(
    `insert into "${schema}".attempts (environment, source, event_id, attempt, handler, worker, outcome, started_at, ended_at) select environment, source, event_id, 1, 'h', 'w', 'succeeded', received_at, received_at from "${schema}".receipts`,
  )
  await query(
    `insert into "${schema}".deliveries (environment, source, event_id, kind, at, status, latency_ms) select environment, source, event_id, 'duplicate', now(), 200, 1 from "${schema}".receipts`,
  )
  await query(
    `insert into "${schema}".outbox (environment, target, key, message, receipt_id, source, event_id, status, due_at) select environment, 'mail', event_id, '{}', id, source, event_id, 'published', now() from "${schema}".receipts`,
  )
  await query(
    `insert into "${schema}".upkeep (environment, task, next_due_at, place) select '', 'bodies', now() + interval '1 day', max(id)::text from "${schema}".receipts`,
  )
  await query(`insert into "${schema}".upkeep (environment, task, next_due_at) values ('default', 'ledger', now())`)
}

/** Steps on different connections that were under way at the same time; a process takes one step after the other. */
async function stepsAtOnce({ schema, query }: TestDatabase): Promise<readonly unknown[]> {
  return query(
    `select one.began, other.ended from "${schema}".steps as one join "${schema}".steps as other
       on one.backend < other.backend and one.began < other.ended and other.began < one.ended`,
  )
}

async function eventIds({ schema, query }: TestDatabase, table: string): Promise<readonly unknown[]> {
  return (await query(`select event_id from "${schema}".${table} order by event_id`)).map((row) => row['event_id'])
}
