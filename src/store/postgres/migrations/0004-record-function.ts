import type { Migration } from './migration.ts'

/**
 * The statement behind every delivery, as a function: PostgreSQL plans it once for each connection instead of once for each write, which
 * costs more than the write. Unlike a prepared statement it needs nothing of the client, and works behind PgBouncer.
 */
export const recordFunction: Migration = {
  version: 4,
  name: 'record-function',
  isBreaking: false,
  statements: (schema) => [knownReceiptsSql(schema), recordReceiptsSql(schema)],
}

/**
 * The receipts that have these ids. A plan that was made while the ledger was empty would read all of it later: hence the settings.
 * The status people see: `processing` follows from a lease that still runs.
 */
const knownReceiptsSql = (schema: string): string => `
create function ${schema}.known_receipts(
  given_environments text[], given_sources text[], given_event_ids text[], given_body_ids uuid[], new_ids bigint[]
)
returns table (event_id text, body_id uuid, receipt_id bigint, status text, body_hash bytea)
language plpgsql stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $function$
#variable_conflict use_column
begin
  return query
  select given.event_id, given.body_id, receipts.id,
    case when queue.leased_by is not null and queue.due_at > clock_timestamp() then 'processing' else receipts.status end,
    receipts.body_hash
  from unnest(given_environments, given_sources, given_event_ids, given_body_ids)
    as given (environment, source, event_id, body_id)
  join ${schema}.receipts using (environment, source, event_id)
  left join ${schema}.queue on queue.receipt_id = receipts.id
  where receipts.id <> all (new_ids);
end
$function$`

/**
 * Writes receipts, bodies and queue rows, so that a receipt never stands without its body or its queue row, and answers with what became of
 * each: "inserted"; "known", if there was one with its id; "busy", if another transaction is recording its signed body, for which nobody
 * waits, since it may be running a handler; "locked", if another one is running the event itself, where "event_locks" asks for that.
 * Of one whose body alone is known there is no row.
 * The ids are sorted: two batches that share some never wait for each other in a circle.
 * Workers of other processes are told of what is queued by the commit itself, so that no event is ever there without them knowing.
 */
const recordReceiptsSql = (schema: string): string => `
create function ${schema}.record_receipts(
  environments text[], sources text[], event_ids text[], types text[], delivery_ids text[], object_ids text[],
  occurred_ats timestamptz[], body_ids uuid[], body_hashes bytea[], parts text[], secret_indexes smallint[],
  order_keys text[], statuses text[], attempt_counts int[], errors text[],
  signed_keys bytea[], body_locks bigint[], repeated_event_ids text[],
  stored_ids uuid[], contents bytea[], stored_headers text[],
  queue_delay_seconds float8, wake_channel text, event_locks bigint[]
)
returns table (
  out_outcome text, out_event_id text, out_body_id uuid, out_receipt_id bigint, out_status text, out_body_hash bytea
)
language plpgsql
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $function$
#variable_conflict use_column
declare
  is_idle boolean[];
  is_free boolean[];
  new_ids bigint[];
  new_event_ids text[];
  new_body_ids uuid[];
  is_work_new boolean;
begin
  if event_locks is not null then
    is_idle := array(
      select pg_try_advisory_xact_lock(event_lock)
      from unnest(event_locks) with ordinality as given (event_lock, number) order by number
    );
  end if;
  if body_locks is not null then
    is_free := array(
      select coalesce(pg_try_advisory_xact_lock(body_lock), true)
      from unnest(body_locks) with ordinality as given (body_lock, number) order by number
    );
  end if;

  with recorded as (
    insert into ${schema}.receipts (
      environment, source, event_id, type, delivery_id, object_id, occurred_at, body_id, body_hash, part,
      secret_index, order_key, status, attempts, last_error, failed_at, signed_key, repeats_event_id
    )
    select environment, source, event_id, type, delivery_id, object_id, occurred_at, body_id, body_hash, part,
      secret_index, order_key, status, attempts, error, case when status = 'failed' then clock_timestamp() end,
      signed_key, repeats_event_id
    from unnest(
      environments, sources, event_ids, types, delivery_ids, object_ids, occurred_ats, body_ids, body_hashes, parts,
      secret_indexes, order_keys, statuses, attempt_counts, errors, signed_keys, repeated_event_ids
    ) with ordinality as given (
      environment, source, event_id, type, delivery_id, object_id, occurred_at, body_id, body_hash, part,
      secret_index, order_key, status, attempts, error, signed_key, repeats_event_id, number
    )
    where (is_idle is null or is_idle[number]) and (is_free is null or is_free[number])
    order by environment, source, event_id
    on conflict do nothing
    returning id, environment, source, event_id, body_id, order_key, status, attempts
  ), stored as (
    insert into ${schema}.bodies (id, stored_on, content, headers)
    select body.id, (now() at time zone 'UTC')::date, body.content, body.headers
    from unnest(stored_ids, contents, stored_headers) as body (id, content, headers)
    where body.id in (select recorded.body_id from recorded)
    on conflict (stored_on, id) do nothing
  ), queued as (
    insert into ${schema}.queue (receipt_id, environment, source, due_at, attempts, order_key)
    select id, environment, source, clock_timestamp() + make_interval(secs => queue_delay_seconds), attempts, order_key
    from recorded
    where queue_delay_seconds is not null and status in ('received', 'retrying')
  )
  select array_agg(id), array_agg(event_id), array_agg(body_id), bool_or(status in ('received', 'retrying'))
  into new_ids, new_event_ids, new_body_ids, is_work_new
  from recorded;

  if is_work_new and queue_delay_seconds is not null and wake_channel is not null then
    perform pg_notify(wake_channel, '');
  end if;
  return query
    select 'inserted', event_id, body_id, id, null::text, null::bytea
    from unnest(new_event_ids, new_body_ids, new_ids) as given (event_id, body_id, id);
  if coalesce(cardinality(new_ids), 0) = cardinality(event_ids) then
    return;
  end if;
  if is_idle is not null then
    return query
      select 'locked', event_id, body_id, null::bigint, null::text, null::bytea
      from unnest(event_ids, body_ids, is_idle) as given (event_id, body_id, is_idle)
      where not given.is_idle;
  end if;
  return query
    select 'known', event_id, body_id, receipt_id, status, body_hash
    from ${schema}.known_receipts(environments, sources, event_ids, body_ids, coalesce(new_ids, '{}'));
  if is_free is not null then
    return query
      select 'busy', event_id, body_id, null::bigint, null::text, null::bytea
      from unnest(event_ids, body_ids, is_free) as given (event_id, body_id, is_free)
      where not given.is_free;
  end if;
end
$function$`
