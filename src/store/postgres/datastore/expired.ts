import type { UpkeepLease } from '../../upkeep-store.ts'
import type { Database } from '../database.ts'
import { leaseSql } from '../upkeep.ts'

/** One that is being written anew in this moment is left alone. Its time is looked at again when it goes. */
const removeExpiredSql = (schema: string): string => `
  with ${leaseSql(schema, '$1')}, expired as (
    select environment, namespace, key
    from ${schema}.datastore
    where exists (select from lease) and expires_at <= clock_timestamp()
    order by expires_at
    limit $2::int
    for update skip locked
  ), gone as (
    delete from ${schema}.datastore using expired
    where datastore.environment = expired.environment and datastore.namespace = expired.namespace
      and datastore.key = expired.key and datastore.expires_at <= clock_timestamp()
    returning 1
  )
  select (select count(*) from gone)::int as removed, exists (select from lease) as "isHeld"`

export async function removeExpired(
  { query, schema }: Database,
  { fence }: UpkeepLease,
  limit: number,
): Promise<number | 'lease_lost'> {
  type Row = { readonly removed: number; readonly isHeld: boolean }
  const [row] = await query<Row>(removeExpiredSql(schema), [fence, limit])
  return row?.isHeld === true ? row.removed : 'lease_lost'
}
