import type { UpkeepLease } from '../upkeep-store.ts'
import type { Database } from './database.ts'
import type { SqlQuery } from './sql-client.ts'
import { leaseSql } from './upkeep.ts'

const daysAhead = 3

/** A lock is only waited for briefly, so that deliveries are not held up. */
const lockTimeout = '1s'

/**
 * Bodies of up to 8 KB are compressed only where that is cheap: PostgreSQL's own way, for a server without lz4, takes longer than all else
 * that is done for a delivery.
 */
const plainStorageSql = (schema: string): string => `case when exists (
    select from pg_attribute
    where attrelid = '${schema}.bodies'::regclass and attname = 'content' and attcompression = 'l'
  ) then '' else ' with (toast_tuple_target = 8160)' end`

/**
 * Makes the day partitions of today and the next days (UTC, by the database's clock). A day that cannot have one, because rows of it
 * lie in the default partition already or because another process is making it, stays there: that costs tidiness, never a delivery.
 */
export const bodyPartitionsSql = (schema: string): string => `
do $do$
declare
  today date := (clock_timestamp() at time zone 'UTC')::date;
  wanted date;
  partition text;
  storage text := ${plainStorageSql(schema)};
begin
  perform set_config('lock_timeout', '${lockTimeout}', true);
  for wanted in select today + number from generate_series(0, ${daysAhead}) as number loop
    partition := 'bodies_' || to_char(wanted, 'YYYYMMDD');
    continue when to_regclass(format('${schema}.%I', partition)) is not null;
    begin
      -- Attaching lets deliveries go on, where "create table … partition of" would stop them.
      execute format('create table ${schema}.%I (like ${schema}.bodies including all)', partition) || storage;
      execute format(
        'alter table ${schema}.bodies attach partition ${schema}.%I for values from (%L) to (%L)',
        partition, wanted, wanted + 1
      );
    exception
      when check_violation or duplicate_table or unique_violation or lock_not_available or insufficient_privilege then null;
    end;
  end loop;
end $do$`

export async function prepareBodyPartitions(query: SqlQuery, schema: string): Promise<void> {
  await query(bodyPartitionsSql(schema))
}

const missingDaysSql = (schema: string): string => `
  with ${leaseSql(schema, '$1')}
  select to_char(day, 'YYYY-MM-DD') as day
  from generate_series(0, ${daysAhead}) as number,
    lateral (select (clock_timestamp() at time zone 'UTC')::date + number as day) as wanted
  where to_regclass(format('${schema}.%I', 'bodies_' || to_char(day, 'YYYYMMDD'))) is null
    and exists (select from lease)`

/** The same in upkeep. Making one twice is harmless, so the lease is only asked for beforehand. */
export async function prepareBodyDays({ query, schema }: Database, { fence }: UpkeepLease): Promise<number> {
  const missing = async (): Promise<number> => (await query(missingDaysSql(schema), [fence])).length
  const before = await missing()
  if (before === 0) return 0
  await prepareBodyPartitions(query, schema)
  return before - (await missing())
}
