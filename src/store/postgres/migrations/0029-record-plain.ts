import type { Migration } from './migration.ts'

/**
 * `record_one` for what nearly every single event is: for a worker or run before the answer, with nothing special about it. Of 23
 * values 9 are never given then, and only the event's key can be there already. It takes PostgreSQL four fifths of
 * the time.
 */
export const recordPlain: Migration = {
  version: 29,
  name: 'record-plain',
  isBreaking: false,
  statements: (schema) => [recordPlainSql(schema)],
}

/**
 * Answers as `record_one` does. It sets no search path, which every call would pay for: all that it names is named with its schema, down to
 * the operators.
 */
const recordPlainSql = (schema: string): string => `
create function ${schema}.record_plain(
  given_environment text, given_source text, given_event_id text, given_type text, given_delivery_id text, given_object_id text,
  given_occurred_at timestamptz, given_body_id uuid, given_body_hash bytea, given_secret_index smallint, given_status text,
  given_content bytea, given_headers text, wake_channel text, event_lock bigint
)
returns text
language plpgsql
as $function$
declare
  is_idle boolean := event_lock is null or pg_catalog.pg_try_advisory_xact_lock(event_lock);
  is_processed boolean := given_status operator(pg_catalog.=) 'processed';
  new_id bigint;
begin
  if is_idle then
    insert into ${schema}.receipts (
      environment, source, event_id, type, delivery_id, object_id, occurred_at, body_id, body_hash, secret_index,
      status, attempts, processed_at
    )
    values (
      given_environment, given_source, given_event_id, given_type, given_delivery_id, given_object_id, given_occurred_at,
      given_body_id, given_body_hash, given_secret_index,
      given_status, case when is_processed then 1 else 0 end, case when is_processed then pg_catalog.clock_timestamp() end
    )
    on conflict (environment, source, event_id) do nothing
    returning id into new_id;
  end if;

  if new_id is not null then
    insert into ${schema}.bodies (id, stored_on, content, headers)
    values (given_body_id, pg_catalog.timezone('UTC', pg_catalog.now())::pg_catalog.date, given_content, given_headers)
    -- Another event of the delivery may have brought it.
    on conflict do nothing;
    if not is_processed then
      insert into ${schema}.queue (receipt_id, environment, source, due_at)
      values (new_id, given_environment, given_source, pg_catalog.clock_timestamp());
      if wake_channel is not null then
        perform pg_catalog.pg_notify(wake_channel, '');
      end if;
    end if;
    return pg_catalog.concat('inserted ', new_id);
  end if;

  return pg_catalog.concat_ws(
    pg_catalog.chr(10),
    case when not is_idle then 'locked' end,
    (
      select pg_catalog.concat_ws(' ', 'known', known.receipt_id, known.status, pg_catalog.encode(known.body_hash, 'hex'))
      from ${schema}.known_receipts(
        array[given_environment], array[given_source], array[given_event_id], array[given_body_id], '{}'
      ) as known
    )
  );
end
$function$`
