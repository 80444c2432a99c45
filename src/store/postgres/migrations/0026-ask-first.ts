import type { Migration } from './migration.ts'

/**
 * Where most of what comes is known already, asking for it costs a fraction of bringing it along: the question holds ids, and no bodies.
 * Each id is looked up in the unique index, whatever the planner believes of the ledger: a join that was planned while that was empty walked
 * through all of it for every group, until the tables were analysed again.
 */
export const askFirst: Migration = {
  version: 26,
  name: 'ask-first',
  isBreaking: false,
  statements: (schema) => [knownReceiptsSql(schema), knownEventsSql(schema)],
}

const settingsSql = `
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off`

/** The limits keep the planner from beginning with the ledger. The status people see: `processing` follows from a lease that still runs. */
const lookUpSql = (schema: string): string => `
  cross join lateral (
    select receipts.id, receipts.status, receipts.body_hash from ${schema}.receipts
    where receipts.environment = given.environment and receipts.source = given.source and receipts.event_id = given.event_id
    limit 1
  ) as known
  left join lateral (
    select 'processing' as status from ${schema}.queue
    where queue.receipt_id = known.id and queue.leased_by is not null and queue.due_at > clock_timestamp()
    limit 1
  ) as lease on true`

/** As in 0004. */
const knownReceiptsSql = (schema: string): string => `
create or replace function ${schema}.known_receipts(
  given_environments text[], given_sources text[], given_event_ids text[], given_body_ids uuid[], new_ids bigint[]
)
returns table (event_id text, body_id uuid, receipt_id bigint, status text, body_hash bytea)
language plpgsql stable${settingsSql}
as $function$
#variable_conflict use_column
begin
  return query
  select given.event_id, given.body_id, known.id, coalesce(lease.status, known.status), known.body_hash
  from unnest(given_environments, given_sources, given_event_ids, given_body_ids)
    as given (environment, source, event_id, body_id)${lookUpSql(schema)}
  where known.id <> all (new_ids);
end
$function$`

/**
 * Answers with one text, which takes PostgreSQL less to hand over than rows: a line for each that is known, with its place among those asked
 * for, and its columns apart by spaces.
 */
const knownEventsSql = (schema: string): string => `
create function ${schema}.known_events(given_environments text[], given_sources text[], given_event_ids text[])
returns text
language plpgsql stable${settingsSql}
as $function$
begin
  return (
    select string_agg(
      concat_ws(' ', given.place, known.id, coalesce(lease.status, known.status), encode(known.body_hash, 'hex')), chr(10)
    )
    from unnest(given_environments, given_sources, given_event_ids) with ordinality
      as given (environment, source, event_id, place)${lookUpSql(schema)}
  );
end
$function$`
