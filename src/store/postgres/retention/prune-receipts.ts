import type { EnvironmentStep, SourceStep, StepResult } from '../../retention-store.ts'
import type { UpkeepLease } from '../../upkeep-store.ts'
import type { Database } from '../database.ts'
import { leaseSql } from '../upkeep.ts'
import { areKeysSettledSql, dayOfSql, daysAgoSql, finishedSql } from './expressions.ts'
import { nextIdSql, type StepRow, spanEnd, toStepResult, walkedToSql } from './steps.ts'

/** How many log rows one step removes for each of its receipts. More than that, as after a storm of duplicates, go by their own age. */
const deliveriesPerReceipt = 20

/** Past its days, and nothing left to be done. */
const isDueSql = (schema: string): string => `
      receipts.status in ${finishedSql} and receipts.held_at is null
      and receipts.received_at < ${daysAgoSql('retention.keep_days')}
      and (not retention.keeps_keys or (receipts.id <= retention.keys_kept_to and ${areKeysSettledSql('retention')}))
      and not exists (select from ${schema}.queue where queue.receipt_id = receipts.id)
      and not exists (select from ${schema}.outbox where outbox.receipt_id = receipts.id and outbox.status <> 'published')`

/**
 * One step: receipts with all that hangs on them go together, and the mark moves with them. What is locked in this moment, still in work,
 * dead, held, or has messages to be sent is passed by and noted, so that it is looked at again. A replay or a hold that comes at the same
 * time has locked the receipt, or finds it gone.
 */
const pruneSql = (schema: string, candidates: string, moved: string, next: string): string => `
  with ${leaseSql(schema, '$1')}, candidates as materialized (${candidates}), due as (
    select receipts.id, receipts.environment, receipts.source, receipts.event_id
    from candidates
    join ${schema}.receipts on receipts.id = candidates.id
    join ${schema}.retention on retention.environment = receipts.environment and retention.source = receipts.source
    where ${isDueSql(schema)}
    order by receipts.id
    for update of receipts skip locked
  ), gone as (
    delete from ${schema}.receipts using due where receipts.id = due.id
    returning receipts.environment, receipts.source
  ), attempts_gone as (
    delete from ${schema}.attempts using due
    where attempts.environment = due.environment and attempts.source = due.source and attempts.event_id = due.event_id
  ), deliveries_gone as (
    delete from ${schema}.deliveries
    where id in (
      select deliveries.id from due join ${schema}.deliveries using (environment, source, event_id)
      limit $3::int * ${deliveriesPerReceipt}
    )
  ), completions_gone as (
    delete from ${schema}.completions using due where completions.receipt_id = due.id
  ), outbox_gone as (
    delete from ${schema}.outbox using due where outbox.receipt_id = due.id
  ), replays_gone as (
    delete from ${schema}.replays using due where replays.receipt_id = due.id
  ), holds_gone as (
    delete from ${schema}.holds using due where holds.receipt_id = due.id
  ), counted as (
    insert into ${schema}.ledger_days as known (environment, source, day, pruned)
    select environment, source, ${dayOfSql('clock_timestamp()')}, count(source) from gone group by 1, 2, 3 order by 1, 2, 3
    on conflict (environment, source, day) do update set pruned = known.pruned + excluded.pruned
  ), ${moved}
  select (select count(source) from gone)::int as removed, (${next})::text as next, exists (select from lease) as "isHeld"`

const walk = { limit: '$3', end: '$6' } as const

/** In the order of their ids, which is nearly the order of their age. */
const byIdSql = (schema: string): string =>
  pruneSql(
    schema,
    `
    select receipts.id from ${schema}.receipts
    where exists (select from lease) and receipts.environment = $2::text and receipts.source = any ($4::text[])
      and receipts.id > $5::bigint and receipts.id < $6::bigint
    order by receipts.id
    limit $3::int`,
    `noted as (
    insert into ${schema}.overdue (environment, receipt_id)
    select $2::text, id from candidates where id not in (select id from due)
    on conflict (environment, receipt_id) do nothing
  ), moved as (
    update ${schema}.retention
    set pruned_to = greatest(pruned_to, ${walkedToSql(walk)})
    where environment = $2::text and source = any ($4::text[]) and exists (select from lease)
  )`,
    nextIdSql(schema, walk),
  )

/** Those that were passed by before. */
const overdueSql = (schema: string): string =>
  pruneSql(
    schema,
    `
    select overdue.receipt_id as id from ${schema}.overdue
    where exists (select from lease) and overdue.environment = $2::text and overdue.receipt_id > $4::bigint
    order by overdue.receipt_id
    limit $3::int`,
    `noted as (
    delete from ${schema}.overdue using candidates
    where overdue.environment = $2::text and overdue.receipt_id = candidates.id
      and (candidates.id in (select id from due)
        or not exists (select from ${schema}.receipts where receipts.id = candidates.id))
  )`,
    'case when (select count(id) from candidates) = $3::int then (select max(id) from candidates) end',
  )

export async function pruneReceipts(database: Database, { fence }: UpkeepLease, step: SourceStep): Promise<StepResult> {
  const { query, schema } = database
  const values = [fence, step.environment, step.limit, step.sources, step.after, spanEnd(step)]
  return toStepResult(await query<StepRow>(byIdSql(schema), values), step.beforeId)
}

export async function pruneOverdue(
  { query, schema }: Database,
  { fence }: UpkeepLease,
  { environment, after, limit }: EnvironmentStep,
): Promise<StepResult> {
  return toStepResult(await query<StepRow>(overdueSql(schema), [fence, environment, limit, after]))
}

const countPrunableSql = (schema: string): string => `
  with candidates as materialized (
    select receipts.id from ${schema}.receipts
    where receipts.environment = $1::text and receipts.source = any ($2::text[])
      and receipts.id > $3::bigint and receipts.id < $4::bigint
    order by receipts.id
    limit $5::int
  )
  select count(receipts.id)::int as removed, (${nextIdSql(schema, { limit: '$5', end: '$4' })})::text as next, true as "isHeld"
  from candidates
  join ${schema}.receipts on receipts.id = candidates.id
  join ${schema}.retention on retention.environment = receipts.environment and retention.source = receipts.source
  where ${isDueSql(schema)}`

/** The same conditions, without a lock or a change. */
export async function countPrunable({ query, schema }: Database, step: SourceStep): Promise<StepResult> {
  const values = [step.environment, step.sources, step.after, spanEnd(step), step.limit]
  return toStepResult(await query<StepRow>(countPrunableSql(schema), values), step.beforeId)
}
