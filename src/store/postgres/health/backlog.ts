import type { Backlog } from '../../health.ts'
import type { Database } from '../database.ts'

/** Of a source or a target. */
export type BacklogRow = { readonly name: string } & Omit<Backlog, 'oldestDueSeconds'> & {
    readonly oldestDueSeconds: number | null
  }

/** Each of the two walks along an index that holds only what is still to be done, or only what failed. */
const backlogSql = ({ waiting, dead }: { readonly waiting: string; readonly dead: string }): string => `
  with waiting as materialized (${waiting}), dead as materialized (${dead})
  select name, sum(waiting)::int as waiting, sum(running)::int as running, sum(due)::int as due,
    max(oldest_due)::float8 as "oldestDueSeconds", sum(dead)::int as "deadLetters"
  from (
    select name, count(name) as waiting, count(name) filter (where is_leased and due_at > clock_timestamp()) as running,
      count(name) filter (where due_at <= clock_timestamp()) as due,
      extract(epoch from clock_timestamp() - min(due_at) filter (where due_at <= clock_timestamp())) as oldest_due, 0 as dead
    from waiting
    group by name
    union all
    select name, 0, 0, 0, null, count(name) from dead group by name
  ) as counted
  group by name`

const eventsSql = (schema: string): string =>
  backlogSql({
    waiting: `
      select source as name, leased_by is not null as is_leased, due_at
      from ${schema}.queue where environment = $1::text order by due_at limit $2::int`,
    dead: `
      select source as name
      from ${schema}.receipts where environment = $1::text and failed_at is not null order by id desc limit $2::int`,
  })

/** Events by source. */
export async function eventBacklog(
  { query, schema }: Database,
  environment: string,
  mostRows: number,
): Promise<readonly BacklogRow[]> {
  return query<BacklogRow>(eventsSql(schema), [environment, mostRows])
}

const messagesSql = (schema: string): string =>
  backlogSql({
    waiting: `
      select target as name, leased_by is not null as is_leased, due_at
      from ${schema}.outbox where environment = $1::text and status = 'pending' order by target, due_at limit $2::int`,
    dead: `
      select target as name
      from ${schema}.outbox where environment = $1::text and status = 'failed' order by id desc limit $2::int`,
  })

/** Messages by target. */
export async function messageBacklog(
  { query, schema }: Database,
  environment: string,
  mostRows: number,
): Promise<readonly BacklogRow[]> {
  return query<BacklogRow>(messagesSql(schema), [environment, mostRows])
}
