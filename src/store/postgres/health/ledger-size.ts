import type { LedgerSize } from '../../health.ts'
import type { Database } from '../database.ts'
import { firstIdSinceSql } from '../first-id-since.ts'

/** Small tables are counted. Large ones are as large as the server thinks, and the day is its range of ids, less the gaps. */
const ledgerSizeSql = (schema: string): string => `
  with recursive ${firstIdSinceSql('day', { table: `${schema}.receipts`, time: 'received_at' }, "now() - interval '1 day'")},
  newest as materialized (
    select id from ${schema}.receipts order by id desc limit $1::int
  ), density as (
    select count(id)::float8 / greatest(1, max(id) - min(id) + 1) as rows_per_id from newest
  ), counted as (
    select (select count(found) from (select 1 as found from ${schema}.receipts limit $1::int + 1) as bounded) as rows,
      (select count(found) from (
        select 1 as found from ${schema}.receipts where id >= (select first_id from day) limit $1::int + 1
      ) as bounded) as added
  ), statistics as (
    select case when relpages > 0 and reltuples >= 0
      then reltuples::float8 * pg_relation_size(oid) / current_setting('block_size')::float8 / relpages end as rows
    from pg_class where oid = '${schema}.receipts'::regclass
  ), ends as (
    select min(id) as first, max(id) as last from ${schema}.receipts
  )
  select counted.rows > $1::int as "isEstimate",
    case when counted.rows <= $1::int then counted.rows
      else coalesce(statistics.rows, (ends.last - ends.first + 1) * density.rows_per_id) end::float8 as rows,
    case when counted.added <= $1::int then counted.added
      else (ends.last - (select first_id from day) + 1) * density.rows_per_id end::float8 as "addedLastDay"
  from counted cross join statistics cross join ends cross join density`

export async function ledgerSize({ query, schema }: Database, mostRows: number): Promise<LedgerSize> {
  const [row] = await query<LedgerSize>(ledgerSizeSql(schema), [mostRows])
  if (row === undefined) throw new TypeError('The database did not answer with the size of the ledger.')
  return { ...row, rows: Math.round(row.rows), addedLastDay: Math.round(row.addedLastDay) }
}
