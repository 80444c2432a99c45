import type { Gauges, PendingGauge } from '../../receipt/gauges.ts'
import type { Database } from './database.ts'
import { dayOfSql } from './retention/expressions.ts'

/** More than this is estimated: whoever looks every few seconds must not slow down a database that is behind already. */
const mostPending = 20_000
const mostFailed = 10_000

/** Of rows called `pending`. An expired lease is no lease: whoever had it is gone. */
const backlogColumnsSql = `
  count(*) filter (where not pending.is_leased and pending.attempts = 0)::float8 as waiting,
  count(*) filter (where not pending.is_leased and pending.attempts > 0)::float8 as retrying,
  count(*) filter (where pending.is_leased)::float8 as running,
  coalesce(extract(epoch from clock_timestamp() - min(pending.due_at)), 0)::float8 as overdue`

const pendingColumnsSql = 'attempts, due_at, leased_by is not null and due_at > clock_timestamp() as is_leased'

/**
 * One statement that reads indexes and statistics, and never more rows than it says. By due time, so that the oldest is among them.
 * The targets are found by hopping through the index from one to the next, as nobody else knows those that no process has any more.
 */
const gaugesSql = (schema: string): string => `
  with recursive targets as (
    select min(target) as target from ${schema}.outbox where environment = $1::text and status = 'pending'
    union all
    select (
      select min(outbox.target) from ${schema}.outbox
      where outbox.environment = $1::text and outbox.status = 'pending' and outbox.target > targets.target
    )
    from targets where targets.target is not null
  )
  select 'queue' as kind, pending.source as name, ${backlogColumnsSql},
    pg_stat_get_live_tuples('${schema}.queue'::regclass)::float8 as estimated
  from (
    select source, ${pendingColumnsSql} from ${schema}.queue
    where environment = $1::text order by due_at limit ${mostPending}
  ) as pending
  group by pending.source

  union all
  select 'outbox', targets.target, ${backlogColumnsSql},
    (select greatest(0, reltuples)::float8 from pg_class where oid = '${schema}.outbox_due'::regclass)
  from targets cross join lateral (
    select ${pendingColumnsSql} from ${schema}.outbox
    where environment = $1::text and outbox.target = targets.target and status = 'pending'
    order by due_at limit ${mostPending}
  ) as pending
  group by targets.target

  union all
  select 'dead event', source, count(source)::float8, 0, 0, 0, 0
  from (
    select source from ${schema}.receipts where environment = $1::text and failed_at is not null limit ${mostFailed}
  ) as failed
  group by source

  union all
  select 'dead message', target, count(target)::float8, 0, 0, 0, 0
  from (
    select target from ${schema}.outbox where environment = $1::text and status = 'failed' limit ${mostFailed}
  ) as failed
  group by target

  union all
  select 'ledger', '', greatest(pg_stat_get_live_tuples(oid), reltuples, 0)::float8,
    pg_stat_get_tuples_inserted(oid)::float8, pg_stat_get_tuples_deleted(oid)::float8, 0, 0
  from pg_class where oid = '${schema}.receipts'::regclass

  union all
  select 'yesterday', source, added::float8, pruned::float8, 0, 0, 0
  from ${schema}.ledger_days where environment = $1::text and day = ${dayOfSql('clock_timestamp()')} - 1`

type GaugeRow = {
  readonly kind: 'queue' | 'outbox' | 'dead event' | 'dead message' | 'ledger' | 'yesterday'
  readonly name: string
  readonly waiting: number
  readonly retrying: number
  readonly running: number
  readonly overdue: number
  readonly estimated: number
}

export async function gauges({ query, schema }: Database, environment: string): Promise<Gauges> {
  const rows = await query<GaugeRow>(gaugesSql(schema), [environment])
  const of = (kind: GaugeRow['kind']): readonly GaugeRow[] =>
    rows.filter((row) => row.kind === kind).toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const pending = of('queue')
  const queueFactor = factorOf(
    pending.reduce((sum, row) => sum + sizeOf(row), 0),
    pending[0]?.estimated,
  )
  const [ledger] = of('ledger')
  const failed = new Map(of('dead message').map(({ name, waiting }) => [name, waiting]))
  const backlogs = new Map(of('outbox').map((row) => [row.name, backlogOf(row, factorOf(sizeOf(row), row.estimated))]))
  const targets = [...new Set([...backlogs.keys(), ...failed.keys()])].toSorted()
  return {
    queue: pending.map((row) => ({ source: row.name, ...backlogOf(row, queueFactor) })),
    deadLetters: of('dead event').map(({ name, waiting }) => ({ source: name, count: waiting })),
    outbox: targets.map((target) => {
      return { target, ...(backlogs.get(target) ?? noBacklog), failed: failed.get(target) ?? 0 }
    }),
    ledger: {
      rows: ledger?.waiting ?? 0,
      rowsInserted: ledger?.retrying ?? 0,
      rowsDeleted: ledger?.running ?? 0,
    },
    yesterday: of('yesterday').map(({ name, waiting, retrying }) => ({
      source: name,
      added: waiting,
      pruned: retrying,
    })),
  }
}

function sizeOf({ waiting, retrying, running }: GaugeRow): number {
  return waiting + retrying + running
}

/** What was counted stands for what was not, where there was too much to count. */
function factorOf(counted: number, estimated = 0): number {
  return counted < mostPending ? 1 : Math.max(1, estimated / counted)
}

function backlogOf({ waiting, retrying, running, overdue }: GaugeRow, factor: number): PendingGauge {
  return {
    waiting: Math.round(waiting * factor),
    retrying: Math.round(retrying * factor),
    running: Math.round(running * factor),
    oldestDueSeconds: Math.max(0, overdue),
  }
}

const noBacklog: PendingGauge = { waiting: 0, retrying: 0, running: 0, oldestDueSeconds: 0 }
