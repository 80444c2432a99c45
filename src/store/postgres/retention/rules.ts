import type { RetentionRule, SourcePlan, Survey } from '../../retention-store.ts'
import type { UpkeepLease } from '../../upkeep-store.ts'
import { type Database, millisecondsSql } from '../database.ts'
import { firstIdSinceSql } from '../first-id-since.ts'
import { storeUnavailable } from '../sql-errors.ts'
import { leaseSql } from '../upkeep.ts'
import { areKeysSettledSql, daysAgoSql } from './expressions.ts'

const saveRulesSql = (schema: string): string => `
  with ${leaseSql(schema, '$1')}
  insert into ${schema}.retention as known (environment, source, keep_days, keep_body_days, keeps_keys)
  select $2::text, source, keep_days, keep_body_days, keeps_keys
  from unnest($3::text[], $4::float8[], $5::float8[], $6::boolean[]) as rule (source, keep_days, keep_body_days, keeps_keys)
  where exists (select from lease)
  order by source
  on conflict (environment, source) do update
  set keep_days = excluded.keep_days, keep_body_days = excluded.keep_body_days, keeps_keys = excluded.keeps_keys,
    updated_at = clock_timestamp()
  where known.keep_days <> excluded.keep_days or known.keep_body_days <> excluded.keep_body_days
    or known.keeps_keys <> excluded.keeps_keys`

export async function saveRules(
  database: Database,
  { fence }: UpkeepLease,
  { environment, rules }: { readonly environment: string; readonly rules: readonly RetentionRule[] },
): Promise<readonly SourcePlan[]> {
  await database.query(saveRulesSql(database.schema), [
    fence,
    environment,
    rules.map(({ source }) => source),
    rules.map(({ keepDays }) => keepDays),
    rules.map(({ keepBodyDays }) => keepBodyDays),
    rules.map(({ keepsKeys }) => keepsKeys),
  ])
  return readRules(database, environment)
}

const removeRulesSql = (schema: string): string => `
  with ${leaseSql(schema, '$1')}
  delete from ${schema}.retention where environment = $2::text and exists (select from lease)`

export async function removeRules(
  { query, schema }: Database,
  { fence }: UpkeepLease,
  environment: string,
): Promise<void> {
  await query(removeRulesSql(schema), [fence, environment])
}

/** The longest time that anybody keeps bodies decides about partitions; where somebody has said nothing, they are not dropped at all. */
const readRulesSql = (schema: string): string => `
  select own.source, own.keep_days as "keepDays", own.keep_body_days as "keepBodyDays", own.pruned_to::text as "prunedTo",
    own.bodies_pruned_to::text as "bodiesPrunedTo", own.keeps_keys as "keepsKeys", own.keys_kept_to::text as "keysKeptTo",
    coalesce(${areKeysSettledSql('own')}, true) as "areKeysSettled",
    ceil(own.keep_body_days) < (select max(ceil(keep_body_days)) from ${schema}.retention)
      or exists (
        select from ${schema}.ledger_days left join ${schema}.retention using (environment, source)
        where ledger_days.day > ${daysAgoSql('366')}::date and ledger_days.added > 0 and retention.source is null
      ) as "needsPruneBodies"
  from ${schema}.retention as own
  where own.environment = $1::text
  order by own.source`

export async function readRules({ query, schema }: Database, environment: string): Promise<readonly SourcePlan[]> {
  return query<SourcePlan>(readRulesSql(schema), [environment])
}

const surveySql = (schema: string, ages: number): string => {
  const numbers = Array.from({ length: ages }, (_, index) => index + 1)
  const log = { table: `${schema}.receipts`, time: 'received_at' }
  const searches = numbers.map((number) => firstIdSinceSql(`age_${number}`, log, daysAgoSql(`$${number}::float8`)))
  const firstIds = numbers.map((number) => `(select first_id::text from age_${number})`)
  return `
  with recursive ${[...searches, 'nothing as (select 1)'].join(', ')}
  select ${millisecondsSql('clock_timestamp()')} as now, json_build_array(${firstIds.join(', ')})::text as "firstIds",
    coalesce((select place from ${schema}.upkeep where environment = '' and task = 'bodies'), '0') as "countedTo"`
}

type SurveyRow = { readonly now: number; readonly firstIds: string; readonly countedTo: string }

export async function survey({ query, schema }: Database, ageDays: readonly number[]): Promise<Survey> {
  const [row] = await query<SurveyRow>(surveySql(schema, ageDays.length), ageDays)
  if (row === undefined) throw storeUnavailable('the database did not answer')
  return { now: new Date(row.now), firstIds: JSON.parse(row.firstIds) as string[], countedTo: row.countedTo }
}
