import type { AutomationToSave, StoredAutomation } from '../../automation-store.ts'
import type { Database } from '../database.ts'
import { millisecondsSql } from '../database.ts'

/** How long events may wait for what an automation ran on before. */
const formerDays = 30

export async function readRevision({ query, schema }: Database, environment: string): Promise<number> {
  const [row] = await query<{ readonly revision: number }>(
    `select coalesce(max(revision), 0)::float8 as revision from ${schema}.automations where environment = $1::text`,
    [environment],
  )
  return row?.revision ?? 0
}

const listSql = (schema: string): string => `
  select name, definition, revision::float8 as revision, ${millisecondsSql('changed_at')} as "changedAt", changed_by as "changedBy",
    (
      select coalesce(json_agg(former.trigger), '[]'::json)::text from ${schema}.automation_triggers as former
      where former.environment = automations.environment and former.name = automations.name
        and former.ended_at > clock_timestamp() - make_interval(days => ${formerDays})
    ) as former
  from ${schema}.automations
  where environment = $1::text
  order by name`

type Row = {
  readonly name: string
  readonly definition: string | null
  readonly revision: number
  readonly changedAt: number
  readonly changedBy: string
  readonly former: string
}

export async function listAutomations(
  { query, schema }: Database,
  environment: string,
): Promise<readonly StoredAutomation[]> {
  const rows = await query<Row>(listSql(schema), [environment])
  return rows.map(({ name, definition, revision, changedAt, changedBy, former }) => ({
    name,
    definition: definition ?? undefined,
    revision,
    changedAt: new Date(changedAt),
    changedBy,
    formerTriggers: JSON.parse(former) as readonly string[],
  }))
}

/** What it ran on before is remembered with the moment it ended, in the same statement. */
const saveSql = (schema: string): string => `
  with saved as (
    insert into ${schema}.automations as known (environment, name, definition, revision, changed_by)
    select $1::text, $2::text, $3::text, nextval('${schema}.automation_revisions'), $5::text
    where $6::bigint is null or exists (
      select from ${schema}.automations where environment = $1::text and name = $2::text and revision = $6::bigint
    )
    on conflict (environment, name) do update
    set definition = excluded.definition, revision = nextval('${schema}.automation_revisions'), changed_at = clock_timestamp(),
      changed_by = excluded.changed_by
    where $6::bigint is null or known.revision = $6::bigint
    returning name
  ), ended as (
    update ${schema}.automation_triggers as former set ended_at = clock_timestamp()
    where exists (select from saved) and former.environment = $1::text and former.name = $2::text and former.ended_at is null
      and ($4::text is null or former.trigger <> $4::text)
    returning 1
  ), begun as (
    insert into ${schema}.automation_triggers as known (environment, name, trigger)
    select $1::text, $2::text, $4::text from saved where $4::text is not null
    on conflict (environment, name, trigger) do update set ended_at = null
    returning 1
  )
  select name from saved`

export async function saveAutomation({ query, schema }: Database, saved: AutomationToSave): Promise<boolean> {
  const { environment, name, definition, trigger = null, by, ifRevision = null } = saved
  return (await query(saveSql(schema), [environment, name, definition, trigger, by, ifRevision])).length === 1
}

/** The name stays, for the events that still wait for it. */
const deleteSql = (schema: string): string => `
  with gone as (
    update ${schema}.automations
    set definition = null, revision = nextval('${schema}.automation_revisions'), changed_at = clock_timestamp(), changed_by = $3::text
    where environment = $1::text and name = $2::text and definition is not null
    returning name
  ), ended as (
    update ${schema}.automation_triggers as former set ended_at = clock_timestamp()
    where exists (select from gone) and former.environment = $1::text and former.name = $2::text and former.ended_at is null
    returning 1
  )
  select name from gone`

export async function deleteAutomation(
  { query, schema }: Database,
  { environment, name, by }: { readonly environment: string; readonly name: string; readonly by: string },
): Promise<boolean> {
  return (await query(deleteSql(schema), [environment, name, by])).length === 1
}
