import type { SourceStep, StepResult } from '../../retention-store.ts'
import type { UpkeepLease } from '../../upkeep-store.ts'
import type { Database } from '../database.ts'
import { leaseSql } from '../upkeep.ts'
import { dayOfSql, daysAgoSql, needySql } from './expressions.ts'
import { nextIdSql, type StepRow, spanEnd, toStepResult, walkedToSql } from './steps.ts'

/** Receipts of one delivery share a body. They are written together, so their ids are never this far apart. */
const siblingsWithin = 100_000

const walk = { limit: '$3', end: '$6' } as const

/** What is still needed is copied first; in one statement, so that a body is never nowhere. */
const pruneBodiesSql = (schema: string): string => `
  with ${leaseSql(schema, '$1')}, candidates as materialized (
    select receipts.id, receipts.environment, receipts.source, receipts.body_id, ${dayOfSql('receipts.received_at')} as day
    from ${schema}.receipts
    join ${schema}.retention on retention.environment = receipts.environment and retention.source = receipts.source
    where exists (select from lease) and receipts.environment = $2::text and receipts.source = any ($4::text[])
      and receipts.id > $5::bigint and receipts.id < $6::bigint
      and receipts.received_at < ${daysAgoSql('retention.keep_body_days')}
    order by receipts.id
    limit $3::int
  ), needed as (
    select receipts.body_id, array_agg(receipts.id) as receipt_ids
    from (${needySql(
      schema,
      `(select min(id) - ${siblingsWithin} from candidates)`,
      `(select max(id) + ${siblingsWithin} from candidates)`,
    )}) as needy
    join ${schema}.receipts on receipts.id = needy.id
    where receipts.body_id in (select body_id from candidates)
    group by receipts.body_id
  ), places as (
    select distinct body_id, day from candidates
  ), kept as (
    insert into ${schema}.kept_bodies as known (id, receipt_ids, content, headers)
    select bodies.id, needed.receipt_ids, bodies.content, bodies.headers
    from needed join places using (body_id) join ${schema}.bodies on bodies.stored_on = places.day and bodies.id = places.body_id
    on conflict (id) do update set receipt_ids = known.receipt_ids || excluded.receipt_ids
  ), gone as (
    delete from ${schema}.bodies using places where bodies.stored_on = places.day and bodies.id = places.body_id
    returning bodies.id
  ), removed as (
    select environment, source, day from candidates where body_id in (select id from gone)
  ), counted as (
    insert into ${schema}.ledger_days as known (environment, source, day, bodies_pruned, own_bodies_pruned)
    select environment, source, day, sum(pruned), sum(own) from (
      select environment, source, ${dayOfSql('clock_timestamp()')} as day, 1 as pruned, 0 as own from removed
      union all
      select environment, source, day, 0, 1 from removed
    ) as figures
    group by 1, 2, 3
    order by 1, 2, 3
    on conflict (environment, source, day) do update
    set bodies_pruned = known.bodies_pruned + excluded.bodies_pruned,
      own_bodies_pruned = known.own_bodies_pruned + excluded.own_bodies_pruned
  ), moved as (
    update ${schema}.retention
    set bodies_pruned_to = greatest(bodies_pruned_to, ${walkedToSql(walk)})
    where environment = $2::text and source = any ($4::text[]) and exists (select from lease)
  )
  select (select count(source) from removed)::int as removed, (${nextIdSql(schema, walk)})::text as next,
    exists (select from lease) as "isHeld"`

export async function pruneBodies(
  { query, schema }: Database,
  { fence }: UpkeepLease,
  step: SourceStep,
): Promise<StepResult> {
  const values = [fence, step.environment, step.limit, step.sources, step.after, spanEnd(step)]
  return toStepResult(await query<StepRow>(pruneBodiesSql(schema), values), step.beforeId)
}
