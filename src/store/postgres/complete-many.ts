import type { CompletedInline, CompletedReceipt } from '../store.ts'
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

const completeInlinesSql = (schema: string): string => `
  select ${schema}.complete_inlines(
    $1::bigint[], $2::int[], $3::text[], $4::text[], $5::text[], $6::text[], $7::float8[], $8::text[]
  )::text`

export async function completeInlines(
  { query, schema }: Database,
  completed: readonly CompletedInline[],
): Promise<void> {
  if (completed.length === 0) return
  await query(completeInlinesSql(schema), [
    completed.map(({ receiptId }) => receiptId),
    ...runValues(completed.map(({ run }) => run)),
    completed.map(({ ending }) => ending),
  ])
}
