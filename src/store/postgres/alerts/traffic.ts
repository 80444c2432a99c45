import type { AnswerTally } from '../../alert-store.ts'
import type { UpkeepLease } from '../../upkeep-store.ts'
import type { Database } from '../database.ts'
import { failedFirstSql } from '../runs.ts'
import { leaseIsHeldSql } from '../upkeep.ts'

/** How long the stretches are for which traffic is counted. */
const bucketSql = (time: string): string => `date_bin('5 minutes', ${time}, timestamptz 'epoch')`

/** For how long they are kept: four weeks to compare with, and some days. */
export const keptDays = 36

/** So many ids are looked at in one step, gaps included. */
const idsInStep = 100_000

type CountedLog = {
  readonly name: string
  readonly table: string
  /** Which rows of it there are to count; spelt as the index that holds only these, if there is one. */
  readonly condition: string
  /** Counts of each environment, source and bucket, of the rows that `ready` names. */
  readonly countsSql: string
  readonly columns: readonly string[]
}

/** Not by a join, which would be planned as if it could mean half the table. */
const isReadySql = 'id > (select counted_to from ready) and id <= (select up_to from ready)'

const logs = (schema: string): readonly CountedLog[] => [
  {
    name: 'receipts',
    table: `${schema}.receipts`,
    condition: 'true',
    columns: ['events', 'handled'],
    countsSql: `
      select receipts.environment, receipts.source, ${bucketSql('receipts.received_at')} as bucket,
        count(receipts.id) as events, count(receipts.id) filter (where receipts.status <> 'ignored') as handled
      from ${schema}.receipts where ${isReadySql}
      group by 1, 2, 3`,
  },
  {
    name: 'deliveries',
    table: `${schema}.deliveries`,
    condition: 'true',
    columns: ['copies'],
    countsSql: `
      select deliveries.environment, deliveries.source, ${bucketSql('least(deliveries.at, clock_timestamp())')} as bucket,
        count(deliveries.id) as copies
      from ${schema}.deliveries where ${isReadySql} and deliveries.kind in ('duplicate', 'mutated', 'replayed_body')
      group by 1, 2, 3`,
  },
  {
    name: 'attempts',
    table: `${schema}.attempts`,
    condition: failedFirstSql,
    // An inline run that was rolled back has no receipt yet that would count it as handled.
    columns: ['failed', 'handled'],
    countsSql: `
      select runs.environment, runs.source, runs.bucket, count(distinct runs.event_id) as failed,
        count(distinct runs.event_id) filter (where receipts.id is null or receipts.received_at > runs.ended_at) as handled
      from (
        select attempts.environment, attempts.source, attempts.event_id, ${bucketSql('attempts.ended_at')} as bucket, attempts.ended_at
        from ${schema}.attempts where ${isReadySql} and ${failedFirstSql}
      ) as runs
      left join ${schema}.receipts
        on receipts.environment = runs.environment and receipts.source = runs.source and receipts.event_id = runs.event_id
      group by 1, 2, 3`,
  },
]

const newestSql = ({ table, condition }: CountedLog): string =>
  `coalesce((select id from ${table} where ${condition} order by id desc limit 1), 0)`

/** Counting begins with what comes from now on. */
const beginSql = (schema: string, log: CountedLog): string => `
  insert into ${schema}.traffic_marks (log, counted_to, seen_to, seen_before_transaction, seen_at)
  select '${log.name}', newest.id, newest.id, pg_snapshot_xmax(pg_current_snapshot())::text::bigint, clock_timestamp()
  from (select ${newestSql(log)} as id) as newest
  where not exists (select from ${schema}.traffic_marks where log = '${log.name}')
  on conflict (log) do nothing`

/**
 * Ids are given out before the commit, so a row with a smaller id may come to light later. Hence a mark in two steps: which id was the
 * newest, and once every transaction that ran at that time has ended, all up to it is counted. One that runs for ten minutes is not
 * waited for. The lock on the mark makes a second who counts at the same time wait, and then find it moved.
 */
const countSql = (schema: string, log: CountedLog): string => `
  with mark as (
    select counted_to, seen_to, seen_before_transaction, seen_at from ${schema}.traffic_marks
    where log = '${log.name}' and ${leaseIsHeldSql(schema, '$1::bigint')}
    for update
  ), ready as (
    select counted_to, least(seen_to, counted_to + ${idsInStep}) as up_to, seen_to from mark
    where seen_before_transaction <= pg_snapshot_xmin(pg_current_snapshot())::text::bigint
      or seen_at < clock_timestamp() - interval '10 minutes'
  ), counts as (${log.countsSql}
  ), added as (
    insert into ${schema}.traffic as known (environment, source, bucket, ${log.columns.join(', ')})
    select environment, source, bucket, ${log.columns.join(', ')} from counts order by environment, source, bucket
    on conflict (environment, source, bucket) do update
    set ${log.columns.map((column) => `${column} = known.${column} + excluded.${column}`).join(', ')}
  ), newest as (select ${newestSql(log)} as id)
  update ${schema}.traffic_marks
  set counted_to = ready.up_to,
    seen_to = case when ready.up_to < ready.seen_to then ready.seen_to else newest.id end,
    seen_before_transaction = case when ready.up_to < ready.seen_to then traffic_marks.seen_before_transaction
      else pg_snapshot_xmax(pg_current_snapshot())::text::bigint end,
    seen_at = case when ready.up_to < ready.seen_to then traffic_marks.seen_at else clock_timestamp() end
  from ready cross join newest
  where traffic_marks.log = '${log.name}'
  returning ready.up_to < ready.seen_to as "isMore"`

export async function countTraffic({ query, schema }: Database, { fence }: UpkeepLease): Promise<'caught_up' | 'more'> {
  let isMore = false
  for (const log of logs(schema)) {
    await query(beginSql(schema, log))
    const [row] = await query<{ readonly isMore: boolean }>(countSql(schema, log), [fence])
    isMore ||= row?.isMore === true
  }
  return isMore ? 'more' : 'caught_up'
}

/** In a fixed order, so that two processes that write at once never wait in a circle. */
const noteAnswersSql = (schema: string): string => `
  insert into ${schema}.traffic as known
    (environment, source, bucket, answered, answered_near, answered_late, slowest_ms)
  select $1::text, source, ${bucketSql('clock_timestamp()')}, answered, near, late, slowest
  from unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::float8[]) as given (source, answered, near, late, slowest)
  order by source
  on conflict (environment, source, bucket) do update
  set answered = known.answered + excluded.answered, answered_near = known.answered_near + excluded.answered_near,
    answered_late = known.answered_late + excluded.answered_late, slowest_ms = greatest(known.slowest_ms, excluded.slowest_ms)`

export async function noteAnswers(
  { query, schema }: Database,
  environment: string,
  answers: readonly AnswerTally[],
): Promise<void> {
  if (answers.length === 0) return
  await query(noteAnswersSql(schema), [
    environment,
    answers.map(({ source }) => source),
    answers.map(({ answered }) => answered),
    answers.map(({ near }) => near),
    answers.map(({ late }) => late),
    answers.map(({ slowestMilliseconds }) => slowestMilliseconds),
  ])
}
