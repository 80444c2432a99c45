import type { BodyDay, StepResult } from '../../retention-store.ts'
import type { UpkeepLease } from '../../upkeep-store.ts'
import type { Database } from '../database.ts'
import { firstIdSinceSql } from '../first-id-since.ts'
import { sqlState } from '../sql-errors.ts'
import { leaseSql } from '../upkeep.ts'
import { dayOfSql, needySql } from './expressions.ts'
import { type StepRow, toStepResult } from './steps.ts'

/**
 * A day is past when it has been counted to its end and every source with receipts of that day says so. Nothing is dropped for a source
 * that has not said how long it keeps its bodies.
 */
const pastBodyDaysSql = (schema: string): string => `
  with days as (
    select to_date(right(relname, 8), 'YYYYMMDD') as day, true as is_partition
    from pg_inherits join pg_class on pg_class.oid = pg_inherits.inhrelid
    where pg_inherits.inhparent = '${schema}.bodies'::regclass and relname ~ '^bodies_[0-9]{8}$'
    union all
    select min(stored_on), false from ${schema}.bodies_default
  ), uncounted as (
    select min(received_at) as since from (
      select received_at from ${schema}.receipts
      where id > coalesce((select place from ${schema}.upkeep where environment = '' and task = 'bodies'), '0')::bigint
      order by id
      limit 1
    ) as next
  )
  select to_char(day, 'YYYY-MM-DD') as day, is_partition as "isPartition"
  from days
  where day < ${dayOfSql('clock_timestamp()')}
    and ((select since from uncounted) is null or (day + 2)::timestamp at time zone 'UTC' < (select since from uncounted))
    and not exists (
      select from ${schema}.ledger_days left join ${schema}.retention using (environment, source)
      where ledger_days.day = days.day and ledger_days.added > 0 and (
        retention.source is null
        or (days.day + 1)::timestamp at time zone 'UTC' + make_interval(secs => retention.keep_body_days * 86400) > clock_timestamp()
      )
    )
  order by day`

export async function pastBodyDays({ query, schema }: Database): Promise<readonly BodyDay[]> {
  return query<BodyDay>(pastBodyDaysSql(schema))
}

/** The range of ids in which all receipts of a day are, as two queries; with room for transactions that stayed open over midnight. */
const receiptsOfDaySql = (schema: string, day: string): string => {
  const ledger = { table: `${schema}.receipts`, time: 'received_at' }
  const midnight = (days: number): string => `(${day} + ${days})::timestamp at time zone 'UTC'`
  return `${firstIdSinceSql('opening', ledger, midnight(-1))}, ${firstIdSinceSql('closing', ledger, midnight(2))}`
}

const keepNeededBodiesSql = (schema: string): string => `
  with recursive ${leaseSql(schema, '$1')},
  ${receiptsOfDaySql(schema, '$2::date')},
  needed as (
    select receipts.body_id, array_agg(receipts.id) as receipt_ids
    from (${needySql(schema, '(select first_id from opening)', '(select first_id from closing)')}) as needy
    join ${schema}.receipts on receipts.id = needy.id
    join ${schema}.bodies on bodies.stored_on = $2::date and bodies.id = receipts.body_id
    left join ${schema}.kept_bodies on kept_bodies.id = receipts.body_id
    where exists (select from lease) and ${dayOfSql('receipts.received_at')} = $2::date
      and (kept_bodies.id is null or not receipts.id = any (kept_bodies.receipt_ids))
    group by receipts.body_id
    limit $3::int
  ), kept as (
    insert into ${schema}.kept_bodies as known (id, receipt_ids, content, headers)
    select bodies.id, needed.receipt_ids, bodies.content, bodies.headers
    from needed join ${schema}.bodies on bodies.stored_on = $2::date and bodies.id = needed.body_id
    order by bodies.id
    on conflict (id) do update set receipt_ids = known.receipt_ids || excluded.receipt_ids
  )
  select (select count(body_id) from needed)::int as removed,
    case when (select count(body_id) from needed) = $3::int then '0' end as next, exists (select from lease) as "isHeld"`

/** Answers with how many were copied. */
export async function keepNeededBodies(
  { query, schema }: Database,
  { fence }: UpkeepLease,
  { day, limit }: BodyDay & { readonly limit: number },
): Promise<StepResult> {
  return toStepResult(await query<StepRow>(keepNeededBodiesSql(schema), [fence, day, limit]))
}

/** What came on the day is gone now; it counts on the day on which it went. */
const countGoneSql = (schema: string, day: string): { readonly counted: string; readonly closed: string } => ({
  counted: `left_bodies as (
    select environment, source, added - own_bodies_pruned as bodies from ${schema}.ledger_days
    where day = ${day} and added > own_bodies_pruned
  ), counted as (
    insert into ${schema}.ledger_days as known (environment, source, day, bodies_pruned)
    select environment, source, ${dayOfSql('clock_timestamp()')}, bodies from left_bodies order by environment, source
    on conflict (environment, source, day) do update set bodies_pruned = known.bodies_pruned + excluded.bodies_pruned
  )`,
  closed: `update ${schema}.ledger_days set own_bodies_pruned = added where day = ${day} and added > own_bodies_pruned`,
})

/** So long may a delivery be held up at most, by waiting for a lock that others hold. */
const lockTimeout = '50ms'

const underLeaseSql = (schema: string, fence: string, body: string): string => `
do $do$
declare
  opening bigint;
  closing bigint;
begin
  perform set_config('lock_timeout', '${lockTimeout}', true);
  perform from ${schema}.upkeep where fence = ${BigInt(fence)} and leased_until > clock_timestamp() for key share;
  if not found then
    raise exception using errcode = 'OH001', message = 'the lease was lost';
  end if;
  ${body}
end $do$`

/**
 * The lock is on the partition of a day that is past, which only readers of bodies touch. Under it, a body that has come to be needed
 * meanwhile is looked for once more.
 */
const emptyBodyDaySql = (schema: string, day: string): string => {
  const { counted, closed } = countGoneSql(schema, `date '${day}'`)
  return `
  with recursive ${receiptsOfDaySql(schema, `date '${day}'`)}
  select opening.first_id, closing.first_id into opening, closing from opening, closing;
  lock table ${partitionOf(schema, day)} in access exclusive mode;
  if exists (
    select from (${needySql(schema, 'opening', 'closing')}) as needy
    join ${schema}.receipts on receipts.id = needy.id
    join ${partitionOf(schema, day)} as bodies on bodies.id = receipts.body_id
    left join ${schema}.kept_bodies on kept_bodies.id = receipts.body_id
    where kept_bodies.id is null or not receipts.id = any (kept_bodies.receipt_ids)
  ) then
    raise exception using errcode = 'OH002', message = 'a body is needed';
  end if;
  with ${counted} ${closed};
  truncate ${partitionOf(schema, day)};`
}

/** This needs the lock on all bodies, which every delivery that is under way holds against it. */
const dropBodyDaySql = (schema: string, day: string): string => `
  lock table ${schema}.bodies in access exclusive mode;
  if exists (select from ${partitionOf(schema, day)}) then
    raise exception using errcode = 'OH002', message = 'a body is there';
  end if;
  drop table ${partitionOf(schema, day)};`

function partitionOf(schema: string, day: string): string {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) throw new TypeError(`${day} is no day.`)
  return `${schema}.bodies_${day.replaceAll('-', '')}`
}

type Done = 'done' | 'busy' | 'refused' | 'lease_lost'

export async function emptyBodyDay(
  { query, schema }: Database,
  { fence }: UpkeepLease,
  { day }: BodyDay,
): Promise<Done> {
  return attempt(() => query(underLeaseSql(schema, fence, emptyBodyDaySql(schema, day))))
}

export async function dropBodyDay(
  { query, schema }: Database,
  { fence }: UpkeepLease,
  { day }: BodyDay,
): Promise<Done> {
  return attempt(() => query(underLeaseSql(schema, fence, dropBodyDaySql(schema, day))))
}

async function attempt(work: () => Promise<unknown>): Promise<Done> {
  try {
    await work()
    return 'done'
  } catch (error) {
    switch (sqlState(error)) {
      case 'OH001':
        return 'lease_lost'
      case 'OH002':
      case '55P03':
        return 'busy'
      case '42501':
        return 'refused'
      default:
        throw error
    }
  }
}

const deleteBodiesSql = (schema: string): string => {
  const { counted, closed } = countGoneSql(schema, '$2::date')
  return `
  with ${leaseSql(schema, '$1')}, chosen as (
    select id from ${schema}.bodies where stored_on = $2::date and exists (select from lease) order by id limit $3::int
  ), gone as (
    delete from ${schema}.bodies using chosen where bodies.stored_on = $2::date and bodies.id = chosen.id
    returning bodies.id
  ), ${counted}, closed as (${closed})
  select (select count(id) from gone)::int as removed, case when (select count(id) from gone) = $3::int then '0' end as next,
    exists (select from lease) as "isHeld"`
}

/** All bodies of the day are counted as gone by the first step: the others follow. */
export async function deleteBodies(
  { query, schema }: Database,
  { fence }: UpkeepLease,
  { day, limit }: BodyDay & { readonly limit: number },
): Promise<StepResult> {
  return toStepResult(await query<StepRow>(deleteBodiesSql(schema), [fence, day, limit]))
}
