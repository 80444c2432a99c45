import type { ExpiredLeases } from '../../inspection.ts'
import type { Database } from '../database.ts'

const mostCounted = 10_000

/** A lease is the due time pushed ahead, so those that ran out longest ago stand first. */
const expiredSql = (schema: string): string => `
  with expired as materialized (
    (select 'queue' as "table", due_at, leased_by from ${schema}.queue
      where environment = $1::text and leased_by is not null and due_at < clock_timestamp() order by due_at limit ${mostCounted})
    union all
    (select 'outbox', due_at, leased_by from ${schema}.outbox
      where environment = $1::text and status = 'pending' and leased_by is not null and due_at < clock_timestamp()
      limit ${mostCounted})
  )
  select "table", count(due_at)::int as count, extract(epoch from clock_timestamp() - min(due_at))::float8 as "oldestSeconds",
    (array_agg(leased_by order by due_at))[1] as worker
  from expired
  group by "table"
  order by "table"`

export async function expiredLeases(
  { query, schema }: Database,
  environment: string,
): Promise<readonly ExpiredLeases[]> {
  return query<ExpiredLeases>(expiredSql(schema), [environment])
}
