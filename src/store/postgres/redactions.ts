import type { StoredRedaction } from '../store.ts'
import { redactionOf } from './body-envelope.ts'
import type { Database } from './database.ts'
import { joinBodiesSql } from './event-row.ts'
import { isReceiptId } from './receipt-filter.ts'

/** The envelope of a redacted body is an object, that of any other a list. */
const redactionsSql = (schema: string): string => `
  select receipts.id::text as "receiptId", coalesce(bodies.headers, kept_bodies.headers) as envelope
  from ${schema}.receipts ${joinBodiesSql(schema)}
  left join ${schema}.kept_bodies on kept_bodies.id = receipts.body_id
  where receipts.environment = $1::text and receipts.id = any ($2::bigint[])
    and coalesce(bodies.headers, kept_bodies.headers) like '{%'
  order by receipts.id`

/** What was left out of the bodies of these receipts; nothing is said of those that are whole. */
export async function readRedactions(
  { query, schema }: Database,
  environment: string,
  receiptIds: readonly string[],
): Promise<readonly StoredRedaction[]> {
  const ids = receiptIds.filter(isReceiptId)
  if (ids.length === 0) return []
  type Row = { readonly receiptId: string; readonly envelope: string }
  const rows = await query<Row>(redactionsSql(schema), [environment, ids])
  return rows.flatMap(({ receiptId, envelope }) => {
    const redaction = redactionOf(envelope)
    return redaction === undefined || redaction.paths.length === 0 ? [] : [{ receiptId, redaction }]
  })
}
