import type { LedgerDay, StepResult } from '../../retention-store.ts'
import type { UpkeepLease } from '../../upkeep-store.ts'
import type { Database } from '../database.ts'
import { leaseSql } from '../upkeep.ts'
import { dayOfSql } from './expressions.ts'
import { type StepRow, toStepResult } from './steps.ts'

/** Ids are given out in order, but committed in any: what is younger than this may still get company with smaller ids. */
const settledAfter = "interval '10 minutes'"

/** Reads every receipt once in its life, and no other. How far it has come is in the task's place. */
const countDaysSql = (schema: string): string => `
  with ${leaseSql(schema, '$1')}, batch as materialized (
    select id, environment, source, received_at from ${schema}.receipts
    where id > (select coalesce(place, '0')::bigint from lease)
    order by id
    limit $2::int
  ), settled as (
    select id, environment, source, ${dayOfSql('received_at')} as day from batch
    where id < coalesce((select min(id) from batch where received_at > clock_timestamp() - ${settledAfter}), 9223372036854775807)
  ), counted as (
    insert into ${schema}.ledger_days as known (environment, source, day, added)
    select environment, source, day, count(id) from settled group by 1, 2, 3 order by 1, 2, 3
    on conflict (environment, source, day) do update set added = known.added + excluded.added
  ), moved as (
    update ${schema}.upkeep set place = (select max(id)::text from settled)
    where fence = $1::bigint and exists (select from settled)
  )
  select 0 as removed, case when (select count(id) from settled) = $2::int then (select max(id)::text from settled) end as next,
    exists (select from lease) as "isHeld"`

export async function countDays(
  { query, schema }: Database,
  { fence }: UpkeepLease,
  limit: number,
): Promise<StepResult> {
  return toStepResult(await query<StepRow>(countDaysSql(schema), [fence, limit]))
}

/** What is left at the end of a day is all that was added up to then, less all that was removed. */
const daysSql = (schema: string): string => `
  select to_char(day, 'YYYY-MM-DD') as day, source, added::float8 as added, pruned::float8 as pruned,
    bodies_pruned::float8 as "bodiesPruned", rows::float8 as rows
  from (
    select day, source, added, pruned, bodies_pruned, sum(added - pruned) over (partition by source order by day) as rows
    from ${schema}.ledger_days
    where environment = $1::text
  ) as days
  where day > ${dayOfSql('clock_timestamp()')} - $2::int
  order by day desc, source`

export async function ledgerDays(
  { query, schema }: Database,
  environment: string,
  days: number,
): Promise<readonly LedgerDay[]> {
  return query<LedgerDay>(daysSql(schema), [environment, Math.floor(days)])
}
