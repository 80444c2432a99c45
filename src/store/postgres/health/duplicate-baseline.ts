import type { Database } from '../database.ts'
import { firstIdSinceSql, type Log } from '../first-id-since.ts'

export type BaselineRow = { readonly source: string; readonly deliveries: number; readonly duplicates: number }

const samples = 20
const rowsInSample = 100

const receipts = (schema: string): Log => ({ table: `${schema}.receipts`, time: 'received_at' })

/**
 * How often events of the week before the window were delivered, from samples that lie evenly over it. Each receipt counts its own
 * deliveries, so no log has to be read. Where the week had no more than the samples take, all of it is counted.
 */
const baselineSql = (schema: string): string => `
  with recursive ${firstIdSinceSql('week', receipts(schema), "now() - interval '7 days'")},
  ${firstIdSinceSql('recent', receipts(schema), 'now() - make_interval(secs => $2::float8)')},
  sampled as (
    select distinct receipt.id, receipt.environment, receipt.source, receipt.deliveries
    from week cross join recent
    cross join generate_series(0, ${samples - 1}) as number
    cross join lateral (
      select receipts.id, receipts.environment, receipts.source, receipts.deliveries
      from ${schema}.receipts
      where receipts.id >= week.first_id + (recent.first_id - week.first_id) * number / ${samples} and receipts.id < recent.first_id
      order by receipts.id
      limit ${rowsInSample}
    ) as receipt
  )
  select source, sum(deliveries)::float8 as deliveries, sum(deliveries - 1)::float8 as duplicates
  from sampled
  where environment = $1::text
  group by source`

export async function duplicateBaseline(
  { query, schema }: Database,
  environment: string,
  windowSeconds: number,
): Promise<readonly BaselineRow[]> {
  return query<BaselineRow>(baselineSql(schema), [environment, windowSeconds])
}
