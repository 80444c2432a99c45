import type { SqlQuery } from './sql-client.ts'

const daysAhead = 3

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
begin
  for wanted in select today + number from generate_series(0, ${daysAhead}) as number loop
    partition := 'bodies_' || to_char(wanted, 'YYYYMMDD');
    continue when to_regclass(format('${schema}.%I', partition)) is not null;
    begin
      -- Attaching lets deliveries go on, where "create table … partition of" would stop them.
      execute format('create table ${schema}.%I (like ${schema}.bodies including all)', partition);
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
