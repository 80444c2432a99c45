import type { Migration } from './migration.ts'

/** What workers and inline handlers send for each event, as functions, for the reason that recording is one: see 0004. */
export const workFunctions: Migration = {
  version: 9,
  name: 'work-functions',
  isBreaking: false,
  statements: (schema) => [
    claimEventsSql(schema),
    completeReceiptSql(schema),
    completeReceiptsSql(schema),
    finishReceiptSql(schema),
    completeInlineSql(schema),
    completeInlinesSql(schema),
  ],
}

/** A plan that was made while a table was empty would read all of it later; every look-up here is by an index. */
const settingsSql = `
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off`

/**
 * Locks, leases and reads. `skip locked` is what hands no event to two workers; the lease is the due time pushed ahead by the database's
 * clock. A row that was leased before belonged to a worker that is gone: that is logged.
 * Of the events with one order key only the earliest may be claimed, and none while another of them is leased. An expired lease comes before
 * an earlier event that was put back meanwhile; otherwise each would wait for the other.
 */
const claimEventsSql = (schema: string): string => `
create function ${schema}.claim_events(
  wanted_environment text, wanted_sources text[], worker text, most int, lease_seconds float8, except_ids bigint[]
)
returns table (
  receipt_id bigint, fence bigint, attempt int, environment text, source text, received_at timestamptz, event_id text,
  type text, delivery_id text, object_id text, part text, body_id uuid, occurred_at timestamptz, completed_handlers text,
  content bytea, headers text, abandoned_by text
)
language plpgsql${settingsSql}
as $function$
#variable_conflict use_column
begin
  return query
  with due as (
    select queue.receipt_id, queue.leased_by, queue.attempts, queue.due_at
    from ${schema}.queue
    where queue.environment = wanted_environment and queue.source = any (wanted_sources)
      and queue.due_at <= (select clock_timestamp()) and queue.receipt_id <> all (except_ids)
      and (queue.order_key is null or not exists (
        select from ${schema}.queue as other
        where other.environment = queue.environment and other.source = queue.source and other.order_key = queue.order_key
          and other.receipt_id <> queue.receipt_id
          and (other.leased_by is not null or (queue.leased_by is null and other.receipt_id < queue.receipt_id))
      ))
    order by queue.due_at
    limit most
    for update skip locked
  ), claimed as (
    update ${schema}.queue
    set fence = nextval('${schema}.fences'), attempts = queue.attempts + 1, leased_by = worker,
      due_at = clock_timestamp() + make_interval(secs => lease_seconds)
    from due
    where queue.receipt_id = due.receipt_id
    returning queue.receipt_id, queue.fence, queue.attempts, due.leased_by as earlier_worker,
      due.attempts as earlier_attempt, due.due_at as due_at
  ), abandoned as (
    insert into ${schema}.attempts
      (environment, source, event_id, attempt, handler, worker, outcome, error, started_at, ended_at)
    select receipts.environment, receipts.source, receipts.event_id, claimed.earlier_attempt, '*', claimed.earlier_worker,
      'abandoned', 'The worker did not finish before its lease ran out.', claimed.due_at, clock_timestamp()
    from claimed join ${schema}.receipts on receipts.id = claimed.receipt_id
    where claimed.earlier_worker is not null
  )
  select claimed.receipt_id, claimed.fence, claimed.attempts, receipts.environment, receipts.source, receipts.received_at,
    receipts.event_id, receipts.type, receipts.delivery_id, receipts.object_id, receipts.part, receipts.body_id, receipts.occurred_at,
    (select json_agg(handler order by handler)::text
      from ${schema}.completions where completions.receipt_id = claimed.receipt_id),
    bodies.content, bodies.headers, claimed.earlier_worker
  from claimed
  join ${schema}.receipts on receipts.id = claimed.receipt_id
  left join ${schema}.bodies
    on bodies.stored_on = (receipts.received_at at time zone 'UTC')::date and bodies.id = receipts.body_id
  order by claimed.due_at, claimed.receipt_id;
end
$function$`

/**
 * The fence in the condition is what stops a worker that paused past its lease from finishing: then the answer is false, and the caller must
 * roll back. It stands at the end of the handler's transaction, so no lock on the queue is held while the handler runs.
 * The receipt ends as "stale" if one of its handlers did, as "same_change" if all did.
 */
const completeReceiptSql = (schema: string): string => `
create function ${schema}.complete_receipt(
  given_id bigint, given_fence bigint, run_attempt int, run_handler text, run_worker text, run_outcome text, run_error text,
  took_milliseconds float8, given_ending text
)
returns boolean
language plpgsql${settingsSql}
as $function$
declare
  attempts_made int;
  final_status text := given_ending;
  known record;
begin
  delete from ${schema}.queue where receipt_id = given_id and fence = given_fence returning attempts into attempts_made;
  if not found then
    return false;
  end if;
  with cleared as (
    delete from ${schema}.completions where receipt_id = given_id returning ending
  )
  select case when bool_or(ending = 'stale') or given_ending = 'stale' then 'stale'
      when bool_and(ending = 'same_change') and given_ending = 'same_change' then 'same_change' else 'processed' end
  into final_status from cleared having count(*) > 0;
  update ${schema}.receipts
  set status = coalesce(final_status, given_ending), processed_at = clock_timestamp(), attempts = attempts_made, last_error = null
  where id = given_id
  returning environment, source, event_id into known;
  if found then
    insert into ${schema}.attempts
      (environment, source, event_id, attempt, handler, worker, outcome, error, started_at, ended_at)
    values (known.environment, known.source, known.event_id, run_attempt, run_handler, run_worker, run_outcome, run_error,
      clock_timestamp() - make_interval(secs => took_milliseconds / 1000), clock_timestamp());
  end if;
  return true;
end
$function$`

/** The same for the end of a transaction, where nobody is left to look at the answer: a lost lease is an error, which commits nothing. */
const finishReceiptSql = (schema: string): string => `
create function ${schema}.finish_receipt(
  given_id bigint, given_fence bigint, run_attempt int, run_handler text, run_worker text, run_outcome text, run_error text,
  took_milliseconds float8, given_ending text
)
returns void
language plpgsql
as $function$
begin
  if not ${schema}.complete_receipt(
    given_id, given_fence, run_attempt, run_handler, run_worker, run_outcome, run_error, took_milliseconds, given_ending
  ) then
    raise exception 'The lease of receipt % is lost.', given_id using errcode = 'OHLL0';
  end if;
end
$function$`

/** Many receipts, each behind its fence. None of them has other handlers, so that nothing about those is looked up. */
const completeReceiptsSql = (schema: string): string => `
create function ${schema}.complete_receipts(
  given_ids bigint[], given_fences bigint[], run_attempts int[], run_handlers text[], run_workers text[],
  run_outcomes text[], run_errors text[], took_milliseconds float8[], given_endings text[]
)
returns setof bigint
language plpgsql${settingsSql}
as $function$
begin
  return query
  with given as (
    select *
    from unnest(
      given_ids, given_fences, run_attempts, run_handlers, run_workers, run_outcomes, run_errors, took_milliseconds,
      given_endings
    ) as given (receipt_id, fence, attempt, handler, worker, outcome, error, took_ms, ending)
  ), finished as (
    delete from ${schema}.queue using given
    where queue.receipt_id = given.receipt_id and queue.fence = given.fence
    returning queue.receipt_id, queue.attempts, given.attempt, given.handler, given.worker, given.outcome, given.error,
      given.took_ms, given.ending
  ), processed as (
    update ${schema}.receipts
    set status = finished.ending, processed_at = clock_timestamp(), attempts = finished.attempts, last_error = null
    from finished
    where receipts.id = finished.receipt_id
    returning receipts.environment, receipts.source, receipts.event_id, finished.attempt, finished.handler,
      finished.worker, finished.outcome, finished.error, finished.took_ms
  ), logged as (
    insert into ${schema}.attempts
      (environment, source, event_id, attempt, handler, worker, outcome, error, started_at, ended_at)
    select environment, source, event_id, attempt, handler, worker, outcome, error,
      clock_timestamp() - make_interval(secs => took_ms / 1000), clock_timestamp()
    from processed
  )
  select receipt_id from finished;
end
$function$`

/** Work that was never queued. What other handlers have to do goes into the queue; those that are done are then remembered. */
const completeInlineSql = (schema: string): string => `
create function ${schema}.complete_inline(
  given_id bigint, is_queued boolean, given_ending text, attempts_made int, run_attempts int[], run_handlers text[],
  run_workers text[], run_outcomes text[], run_errors text[], took_milliseconds float8[], done_handlers text[],
  done_endings text[]
)
returns void
language plpgsql${settingsSql}
as $function$
declare
  known record;
begin
  update ${schema}.receipts
  set status = case when is_queued then 'received' else given_ending end,
    processed_at = case when is_queued then null else clock_timestamp() end,
    attempts = greatest(attempts, attempts_made)
  where id = given_id
  returning environment, source, event_id, order_key into known;
  if not found then
    return;
  end if;
  if is_queued then
    insert into ${schema}.queue (receipt_id, environment, source, due_at, order_key)
    values (given_id, known.environment, known.source, clock_timestamp(), known.order_key)
    on conflict (receipt_id) do nothing;
    insert into ${schema}.completions (receipt_id, handler, ending)
    select given_id, done.handler, done.ending from unnest(done_handlers, done_endings) as done (handler, ending)
    on conflict (receipt_id, handler) do nothing;
  end if;
  insert into ${schema}.attempts
    (environment, source, event_id, attempt, handler, worker, outcome, error, started_at, ended_at)
  select known.environment, known.source, known.event_id, run.attempt, run.handler, run.worker, run.outcome, run.error,
    clock_timestamp() - make_interval(secs => run.took_ms / 1000), clock_timestamp()
  from unnest(run_attempts, run_handlers, run_workers, run_outcomes, run_errors, took_milliseconds)
    as run (attempt, handler, worker, outcome, error, took_ms);
end
$function$`

/** The same for many receipts, each of which has had its one handler. */
const completeInlinesSql = (schema: string): string => `
create function ${schema}.complete_inlines(
  given_ids bigint[], run_attempts int[], run_handlers text[], run_workers text[], run_outcomes text[], run_errors text[],
  took_milliseconds float8[], given_endings text[]
)
returns void
language plpgsql${settingsSql}
as $function$
begin
  with processed as (
    update ${schema}.receipts
    set status = given.ending, processed_at = clock_timestamp(), attempts = greatest(receipts.attempts, given.attempt)
    from unnest(
      given_ids, run_attempts, run_handlers, run_workers, run_outcomes, run_errors, took_milliseconds, given_endings
    ) as given (receipt_id, attempt, handler, worker, outcome, error, took_ms, ending)
    where receipts.id = given.receipt_id
    returning receipts.environment, receipts.source, receipts.event_id, given.attempt, given.handler, given.worker,
      given.outcome, given.error, given.took_ms
  )
  insert into ${schema}.attempts
    (environment, source, event_id, attempt, handler, worker, outcome, error, started_at, ended_at)
  select environment, source, event_id, attempt, handler, worker, outcome, error,
    clock_timestamp() - make_interval(secs => took_ms / 1000), clock_timestamp()
  from processed;
end
$function$`
