import type { Database } from '../database.ts'
import { isReceiptId } from '../receipt-filter.ts'
import type { SqlClient } from '../sql-client.ts'
import { type EndpointKey, lockEndpointSql } from './endpoints.ts'

type Client<Tx> = Pick<SqlClient<Tx>, 'transaction'>

/** What goes is taken off its endpoint's totals by the same statement. */
const removeSql = (schema: string, condition: string): string => `
  with gone as (
    delete from ${schema}.captures
    where environment = $1::text and endpoint = $2::text and ${condition}
    returning size
  ), updated as (
    update ${schema}.capture_endpoints
    set captures = captures - (select count(*) from gone), bytes = bytes - (select coalesce(sum(size), 0) from gone)
    where environment = $1::text and name = $2::text
  )
  select count(*)::int as removed from gone`

type Removal = EndpointKey & { readonly condition: string; readonly values: readonly unknown[] }

/** Behind the endpoint's lock, in the order in which requests are recorded: neither waits for the other, and totals stay right. */
async function remove<Tx>(client: Client<Tx>, { schema }: Database, removal: Removal): Promise<number> {
  const { environment, name, condition, values } = removal
  return client.transaction(async ({ query }) => {
    await query(lockEndpointSql(schema), [environment, name])
    const [row] = await query<{ readonly removed: number }>(removeSql(schema, condition), [
      environment,
      name,
      ...values,
    ])
    return row?.removed ?? 0
  })
}

const endpointOfSql = (schema: string): string => `
  select endpoint as name from ${schema}.captures where environment = $1::text and id = $2::bigint`

export async function deleteCapture<Tx>(
  client: Client<Tx>,
  database: Database,
  { environment, id }: { readonly environment: string; readonly id: string },
): Promise<boolean> {
  if (!isReceiptId(id)) return false
  const { query, schema } = database
  const [found] = await query<{ readonly name: string }>(endpointOfSql(schema), [environment, id])
  if (found === undefined) return false
  const removal = { environment, name: found.name, condition: 'id = $3::bigint', values: [id] }
  return (await remove(client, database, removal)) === 1
}

export async function clearCaptures<Tx>(client: Client<Tx>, database: Database, key: EndpointKey): Promise<number> {
  return remove(client, database, { ...key, condition: 'true', values: [] })
}

const prunedAtOnce = 500

const expiredEndpointsSql = (schema: string): string => `
  select distinct endpoint as name
  from (
    select endpoint from ${schema}.captures
    where environment = $1::text and expires_at <= clock_timestamp()
    order by expires_at
    limit ${prunedAtOnce}
  ) as oldest
  order by 1`

const isExpiredSql = (schema: string): string => `
  id in (
    select id from ${schema}.captures
    where environment = $1::text and endpoint = $2::text and expires_at <= clock_timestamp()
    order by id
    limit $3::int
  )`

const nextExpirySql = (schema: string): string => `
  select greatest(0, extract(epoch from min(expires_at) - clock_timestamp()) * 1000)::float8 as milliseconds
  from ${schema}.captures
  where environment = $1::text`

export async function pruneCaptures<Tx>(
  client: Client<Tx>,
  database: Database,
  environment: string,
): Promise<{ readonly millisecondsUntilNext: number | undefined }> {
  const { query, schema } = database
  for (const { name } of await query<{ readonly name: string }>(expiredEndpointsSql(schema), [environment])) {
    await remove(client, database, { environment, name, condition: isExpiredSql(schema), values: [prunedAtOnce] })
  }
  const [row] = await query<{ readonly milliseconds: number | null }>(nextExpirySql(schema), [environment])
  return { millisecondsUntilNext: row?.milliseconds ?? undefined }
}
