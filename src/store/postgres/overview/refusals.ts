import type { NotedDelivery } from '../../../receipt/receipt.ts'
import type { Database } from '../database.ts'
import { type DeliveryRow, deliveryColumnsSql, toNotedDelivery } from '../timeline.ts'

/** So many rows of the log are looked at, the newest ones: there is no index by source, which every duplicate would pay for. */
const mostRows = 20_000

const refusalsSql = (schema: string): string => `
  select ${deliveryColumnsSql}
  from (
    select id, environment, source, event_id, delivery_id, kind, at, status, latency_ms, detail, secret_index
    from ${schema}.deliveries order by id desc limit ${mostRows}
  ) as deliveries
  where environment = $1::text and source = $2::text and kind in ('forged', 'malformed', 'not_allowed')
  order by id desc
  limit $3::int`

export async function findRefusals(
  { query, schema }: Database,
  environment: string,
  { source, limit }: { readonly source: string; readonly limit: number },
): Promise<readonly NotedDelivery[]> {
  const rows = await query<DeliveryRow>(refusalsSql(schema), [environment, source, limit])
  return rows.map(toNotedDelivery)
}
