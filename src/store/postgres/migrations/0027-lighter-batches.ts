import type { Migration } from './migration.ts'

/**
 * What a worker asks for in large numbers, with less work for each event.
 * - A body that is text comes as text. As digits it is twice as long, and both sides spend more on that than on finding it.
 * - Events that came to the same end are completed by what they have in common, instead of looking up each in lists.
 */
export const lighterBatches: Migration = {
  version: 27,
  name: 'lighter-batches',
  isBreaking: false,
  statements: (schema) => [claimDueSql(schema), finishAlikeSql(schema)],
}

/** As in 0009. */
const settingsSql = `
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off`

/** As 0024 has it for claims. */
const claimSettingsSql = `${settingsSql}
set enable_bitmapscan = off
set enable_memoize = off
set enable_sort = off`

/**
 * Encrypted bodies are never text; their envelope begins with the key. Nor is what begins with a byte order mark, because some libraries
 * leave that out of the texts that they hand over.
 */
const isBytesSql = `(starts_with(bodies.headers, '{"keyId"') or substring(bodies.content from 1 for 3) = '\\xefbbbf'::bytea)`

const contentSql = {
  text: `
      case when not ${isBytesSql} then convert_from(bodies.content, 'UTF8') end as body_text,
      case when ${isBytesSql} then bodies.content end as content`,
  bytes: 'null::text as body_text, bodies.content as content',
}

/**
 * The events of a claim, in its order. Each look-up stands by itself, because a plan must not begin with the ledger. All of them are
 * there before the first is answered: if a body turns out not to be text, none has been. That takes a sort, and `+ 0` keeps any planner from
 * seeing that there is nothing to sort.
 */
const answerSql = (schema: string, form: keyof typeof contentSql): string => `
  return query
  select receipt_id, fence, attempt, source, received_at, event_id, type, delivery_id, object_id, part, body_id, occurred_at,
    case when has_completions then (
      select json_agg(handler order by handler)::text
      from ${schema}.completions where completions.receipt_id = answered.receipt_id
    ) end,
    body_text, content, headers, abandoned_by
  from (
    select claimed.place, claimed.receipt_id, claimed.fence, claimed.attempt, claimed.abandoned_by, receipts.source, receipts.received_at,
      receipts.event_id, receipts.type, receipts.delivery_id, receipts.object_id, receipts.part, receipts.body_id, receipts.occurred_at,
      bodies.headers, ${contentSql[form]}
    from unnest(claimed_ids, claimed_fences, claimed_attempts, earlier_workers) with ordinality
      as claimed (receipt_id, fence, attempt, abandoned_by, place)
    cross join lateral (
      select source, received_at, event_id, type, delivery_id, object_id, part, body_id, occurred_at
      from ${schema}.receipts where receipts.id = claimed.receipt_id offset 0
    ) as receipts
    left join lateral (
      select content, headers from ${schema}.bodies
      where bodies.stored_on = (receipts.received_at at time zone 'UTC')::date and bodies.id = receipts.body_id offset 0
    ) as bodies on true
    offset 0
  ) as answered
  order by place + 0;`

/** As `claim_events` in 0009, which says what is claimed and in which order. A body is answered as text or as bytes. */
const claimDueSql = (schema: string): string => `
create function ${schema}.claim_due(
  wanted_environment text, wanted_sources text[], worker text, most int, lease_seconds float8, except_ids bigint[]
)
returns table (
  receipt_id bigint, fence bigint, attempt int, source text, received_at timestamptz, event_id text, type text,
  delivery_id text, object_id text, part text, body_id uuid, occurred_at timestamptz, completed_handlers text,
  body_text text, content bytea, headers text, abandoned_by text
)
language plpgsql${claimSettingsSql}
as $function$
#variable_conflict use_column
declare
  claimed_ids bigint[];
  claimed_fences bigint[];
  claimed_attempts int[];
  earlier_workers text[];
  due_ats timestamptz[];
  has_completions boolean;
begin
  with due as materialized (
    select queue.receipt_id, queue.leased_by, queue.due_at
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
    returning queue.receipt_id, queue.fence, queue.attempts, due.leased_by as earlier_worker, due.due_at as due_at
  )
  select array_agg(receipt_id order by due_at, receipt_id), array_agg(fence order by due_at, receipt_id),
    array_agg(attempts order by due_at, receipt_id), array_agg(earlier_worker order by due_at, receipt_id),
    array_agg(due_at order by due_at, receipt_id)
  into claimed_ids, claimed_fences, claimed_attempts, earlier_workers, due_ats
  from claimed;
  if claimed_ids is null then
    return;
  end if;

  -- Its worker is gone: otherwise it would no longer be due, or no longer leased.
  if num_nonnulls(variadic earlier_workers) > 0 then
    insert into ${schema}.attempts
      (environment, source, event_id, attempt, handler, worker, outcome, error, started_at, ended_at)
    select receipts.environment, receipts.source, receipts.event_id, claimed.attempt - 1, '*', claimed.earlier_worker,
      'abandoned', 'The worker did not finish before its lease ran out.', claimed.due_at, clock_timestamp()
    from unnest(claimed_ids, claimed_attempts, earlier_workers, due_ats) as claimed (receipt_id, attempt, earlier_worker, due_at)
    cross join lateral (
      select environment, source, event_id from ${schema}.receipts where receipts.id = claimed.receipt_id offset 0
    ) as receipts
    where claimed.earlier_worker is not null;
  end if;

  has_completions := exists (select from ${schema}.completions where completions.receipt_id = any (claimed_ids));
  if getdatabaseencoding() = 'UTF8' then
    begin${answerSql(schema, 'text')}
      return;
    exception when character_not_in_repertoire or untranslatable_character then
      null;
    end;
  end if;${answerSql(schema, 'bytes')}
end
$function$`

/**
 * Many receipts whose one handler succeeded, at the end of a transaction. Ids in their order; times in the same order, or one for all.
 * Whatever is not held under just its fence fails the transaction.
 */
const finishAlikeSql = (schema: string): string => `
create function ${schema}.finish_alike(
  given_ids bigint[], given_fences bigint[], run_handler text, run_worker text, took_milliseconds float8[], given_ending text
)
returns void
language plpgsql${settingsSql}
as $function$
declare
  held_ids bigint[];
  held_fences bigint[];
  held_attempts int[];
  same_attempt int;
  same_milliseconds float8 := case when cardinality(took_milliseconds) = 1 then took_milliseconds[1] end;
  lost bigint;
begin
  with finished as (
    delete from ${schema}.queue
    where queue.receipt_id = any (given_ids) and queue.fence = any (given_fences)
    returning queue.receipt_id, queue.fence, queue.attempts
  )
  select array_agg(receipt_id order by receipt_id), array_agg(fence order by receipt_id), array_agg(attempts order by receipt_id),
    case when min(attempts) = max(attempts) then min(attempts) end
  into held_ids, held_fences, held_attempts, same_attempt
  from finished;
  if (held_ids = given_ids and held_fences = given_fences) is not true then
    select given.id into lost
    from unnest(given_ids, given_fences) as given (id, fence)
    where not exists (
      select from unnest(held_ids, held_fences) as held (id, fence) where held.id = given.id and held.fence = given.fence
    )
    limit 1;
    raise exception 'The lease of receipt % is lost.', coalesce(lost, given_ids[1]) using errcode = 'OHLL0';
  end if;

  with processed as (
    update ${schema}.receipts
    set status = given_ending, processed_at = clock_timestamp(), last_error = null,
      attempts = coalesce(same_attempt, held_attempts[array_position(given_ids, receipts.id)])
    where receipts.id = any (given_ids)
    returning receipts.id, receipts.environment, receipts.source, receipts.event_id, receipts.attempts
  )
  insert into ${schema}.attempts
    (environment, source, event_id, attempt, handler, worker, outcome, error, started_at, ended_at)
  select environment, source, event_id, attempts, run_handler, run_worker, 'succeeded', null,
    clock_timestamp() - make_interval(
      secs => coalesce(same_milliseconds, took_milliseconds[array_position(given_ids, id)]) / 1000
    ), clock_timestamp()
  from processed;
end
$function$`
