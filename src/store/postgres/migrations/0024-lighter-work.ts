import type { Migration } from './migration.ts'

/**
 * What a worker asks for costs the same however long the queue is, and completing an event touches no index.
 * - Claiming walks along the due times. A plan for an unknown number of rows would rather have read and sorted the whole queue.
 * - A group of receipts that came together stands in the same pages, and is completed in the same transaction: all of their new versions
 *   have to fit beside the old ones, or each goes to another page, with a new entry in every index.
 * - Many receipts are found by their ids, and by nothing else. Joined with the lists that say what becomes of them, a plan that was made while
 *   the ledger was small would walk through all of it for every group.
 * - Completing many at the end of a transaction, where nobody is left to look at the answer: a lost lease is an error, which commits nothing.
 */
export const lighterWork: Migration = {
  version: 24,
  name: 'lighter-work',
  isBreaking: false,
  statements: (schema) => [
    `alter table ${schema}.receipts set (fillfactor = 50)`,
    `alter function ${schema}.claim_events(text, text[], text, int, float8, bigint[]) set enable_bitmapscan = off`,
    `alter function ${schema}.claim_events(text, text[], text, int, float8, bigint[]) set enable_sort = off`,
    completeReceiptsSql(schema),
    completeInlinesSql(schema),
    finishReceiptsSql(schema),
  ],
}

/** As in 0009. */
const settingsSql = `
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off`

const logRunsSql = (schema: string): string => `
  insert into ${schema}.attempts
    (environment, source, event_id, attempt, handler, worker, outcome, error, started_at, ended_at)
  select environment, source, event_id, run_attempts[place], run_handlers[place], run_workers[place], run_outcomes[place],
    run_errors[place], clock_timestamp() - make_interval(secs => took_milliseconds[place] / 1000), clock_timestamp()
  from processed`

/** Many receipts, each behind its fence. None of them has other handlers, so that nothing about those is looked up. */
const completeReceiptsSql = (schema: string): string => `
create or replace function ${schema}.complete_receipts(
  given_ids bigint[], given_fences bigint[], run_attempts int[], run_handlers text[], run_workers text[],
  run_outcomes text[], run_errors text[], took_milliseconds float8[], given_endings text[]
)
returns setof bigint
language plpgsql${settingsSql}
as $function$
declare
  held_ids bigint[];
  held_attempts int[];
begin
  with finished as (
    delete from ${schema}.queue
    where queue.receipt_id = any (given_ids) and queue.fence = given_fences[array_position(given_ids, queue.receipt_id)]
    returning queue.receipt_id, queue.attempts
  )
  select array_agg(receipt_id), array_agg(attempts) into held_ids, held_attempts from finished;
  with processed as (
    update ${schema}.receipts
    set status = given_endings[array_position(given_ids, receipts.id)], processed_at = clock_timestamp(),
      attempts = held_attempts[array_position(held_ids, receipts.id)], last_error = null
    where receipts.id = any (held_ids)
    returning receipts.environment, receipts.source, receipts.event_id, array_position(given_ids, receipts.id) as place
  )${logRunsSql(schema)};
  return query select unnest(held_ids);
end
$function$`

/** Many receipts that were never queued, each of which has had its one handler. */
const completeInlinesSql = (schema: string): string => `
create or replace function ${schema}.complete_inlines(
  given_ids bigint[], run_attempts int[], run_handlers text[], run_workers text[], run_outcomes text[], run_errors text[],
  took_milliseconds float8[], given_endings text[]
)
returns void
language plpgsql${settingsSql}
as $function$
begin
  with processed as (
    update ${schema}.receipts
    set status = given_endings[array_position(given_ids, receipts.id)], processed_at = clock_timestamp(),
      attempts = greatest(receipts.attempts, run_attempts[array_position(given_ids, receipts.id)])
    where receipts.id = any (given_ids)
    returning receipts.environment, receipts.source, receipts.event_id, array_position(given_ids, receipts.id) as place
  )${logRunsSql(schema)};
end
$function$`

const finishReceiptsSql = (schema: string): string => `
create function ${schema}.finish_receipts(
  given_ids bigint[], given_fences bigint[], run_attempts int[], run_handlers text[], run_workers text[],
  run_outcomes text[], run_errors text[], took_milliseconds float8[], given_endings text[]
)
returns void
language plpgsql
as $function$
declare
  held bigint[];
  lost bigint;
begin
  held := array(select ${schema}.complete_receipts(
    given_ids, given_fences, run_attempts, run_handlers, run_workers, run_outcomes, run_errors, took_milliseconds, given_endings
  ));
  if cardinality(held) < cardinality(given_ids) then
    select given.id into lost from unnest(given_ids) as given (id) where given.id <> all (held) limit 1;
    raise exception 'The lease of receipt % is lost.', lost using errcode = 'OHLL0', detail = lost::text;
  end if;
end
$function$`
