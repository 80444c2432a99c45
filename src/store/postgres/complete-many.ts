import type { CompletedReceipt } from '../store.ts'
import type { Database } from './database.ts'
import { runValues } from './runs.ts'

/** The function is in the migrations. */
const completeReceiptsSql = (schema: string): string => `
  select receipt_id::text as "receiptId"
  from ${schema}.complete_receipts(
    $1::bigint[], $2::bigint[], $3::int[], $4::text[], $5::text[], $6::text[], $7::text[], $8::float8[], $9::text[]
  ) as receipt_id`

export async function completeReceipts(
  { query, schema }: Database,
  completed: readonly CompletedReceipt[],
): Promise<readonly string[]> {
  if (completed.length === 0) return []
  const rows = await query<{ readonly receiptId: string }>(completeReceiptsSql(schema), [
    completed.map(({ lease }) => lease.receiptId),
    completed.map(({ lease }) => lease.fence),
    ...runValues(completed.map(({ run }) => run)),
    completed.map(({ ending }) => ending),
  ])
  return rows.map(({ receiptId }) => receiptId)
}
