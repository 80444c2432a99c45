import type { BodyPartitionFacts } from '../../inspection.ts'
import type { Database } from '../database.ts'

const mostCounted = 10_000

const bodiesSql = (schema: string): string => `
  select (select count(found)::int from (select 1 as found from ${schema}.bodies_default limit ${mostCounted}) as bounded)
      as "rowsInDefault",
    array(
      select to_char(day, 'YYYY-MM-DD')
      from (select (clock_timestamp() at time zone 'UTC')::date + number as day from generate_series(0, 1) as number) as days
      where to_regclass(format('${schema}.%I', 'bodies_' || to_char(day, 'YYYYMMDD'))) is null
      order by day
    ) as "missingDays"`

export async function bodyPartitionFacts({ query, schema }: Database): Promise<BodyPartitionFacts> {
  const [row] = await query<BodyPartitionFacts>(bodiesSql(schema))
  if (row === undefined) throw new TypeError('The database did not answer with the partitions of bodies.')
  return row
}
