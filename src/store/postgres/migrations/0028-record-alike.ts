import type { Migration } from './migration.ts'

/**
 * `record_receipts` for what nearly every group at a busy door is: events of one source that wait for a worker, each with a body of its own
 * and nothing special about it. What they have in common is given once, their bodies are not joined with anything, and the answer is one
 * text: it takes PostgreSQL three quarters of the time.
 */
export const recordAlike: Migration = {
  version: 28,
  name: 'record-alike',
  isBreaking: false,
  statements: (schema) => [recordAlikeSql(schema)],
}

/**
 * Answers with the ids of the receipts in the order given, and a dash for each that is not new. Of those, what is known is on the lines after
 * that, as `known_events` tells it. The events are sorted as in 0004: two groups never wait for each other in a circle.
 */
const recordAlikeSql = (schema: string): string => `
create function ${schema}.record_alike(
  given_environment text, given_source text, given_secret_index smallint,
  event_ids text[], types text[], delivery_ids text[], object_ids text[], occurred_ats timestamptz[],
  body_ids uuid[], body_hashes bytea[], contents bytea[], stored_headers text[], same_headers text, wake_channel text
)
returns text
language plpgsql
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $function$
#variable_conflict use_column
declare
  new_ids bigint[];
  new_body_ids uuid[];
  are_all_new boolean;
  other_ids text[];
  answer text;
begin
  with recorded as (
    insert into ${schema}.receipts (
      environment, source, event_id, type, delivery_id, object_id, occurred_at, body_id, body_hash, secret_index, status
    )
    select given_environment, given_source, event_id, type, delivery_id, object_id, occurred_at, body_id, body_hash,
      given_secret_index, 'received'
    from unnest(event_ids, types, delivery_ids, object_ids, occurred_ats, body_ids, body_hashes)
      as given (event_id, type, delivery_id, object_id, occurred_at, body_id, body_hash)
    order by event_id
    on conflict do nothing
    returning id, body_id
  )
  select array_agg(id), array_agg(body_id) into new_ids, new_body_ids from recorded;
  are_all_new := coalesce(cardinality(new_ids), 0) = cardinality(event_ids);

  if new_ids is not null then
    insert into ${schema}.bodies (id, stored_on, content, headers)
    select body.id, (now() at time zone 'UTC')::date, body.content, coalesce(body.headers, same_headers)
    from unnest(body_ids, contents, stored_headers) as body (id, content, headers)
    where are_all_new or body.id = any (new_body_ids);
    insert into ${schema}.queue (receipt_id, environment, source, due_at)
    select id, given_environment, given_source, clock_timestamp() from unnest(new_ids) as given (id);
    if wake_channel is not null then
      perform pg_notify(wake_channel, '');
    end if;
  end if;

  if new_body_ids = body_ids then
    return array_to_string(new_ids, ' ');
  end if;
  -- Some are known, or the database sorts texts otherwise than the caller.
  answer := array_to_string(array(
    select new_ids[array_position(new_body_ids, given.id)] from unnest(body_ids) with ordinality as given (id, place) order by place
  ), ' ', '-');
  if are_all_new then
    return answer;
  end if;
  other_ids := array(
    select given.event_id from unnest(event_ids, body_ids) with ordinality as given (event_id, body_id, place)
    where given.body_id <> all (coalesce(new_body_ids, '{}')) order by place
  );
  return concat(answer, chr(10), ${schema}.known_events(
    array_fill(given_environment, array[cardinality(other_ids)]), array_fill(given_source, array[cardinality(other_ids)]), other_ids
  ));
end
$function$`
