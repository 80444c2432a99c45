import type { CompletedInline, CompletedReceipt } from '../store.ts'
import { binaryArray } from './binary-arrays.ts'
import type { Database } from './database.ts'
import { encodedRuns, runValues } from './runs.ts'
import { madeOnce } from './schema-name.ts'
import type { SqlCall } from './sql-client.ts'

/** The functions are in the migrations. */
const completeReceiptsSql = madeOnce(
  (schema) => `
  select receipt_id::text as "receiptId"
  from ${schema}.complete_receipts(
    $1::bigint[], $2::bigint[], $3::int[], $4::text[], $5::text[], $6::text[], $7::text[], $8::float8[], $9::text[]
  ) as receipt_id`,
)

/** Answers with the ids of those whose lease was still held. */
export async function completeReceipts(
  { query, schema }: Database,
  completed: readonly CompletedReceipt[],
): Promise<readonly string[]> {
  const rows = await query<{ readonly receiptId: string }>(completeReceiptsSql(schema), [
    completed.map(({ lease }) => lease.receiptId),
    completed.map(({ lease }) => lease.fence),
    ...runValues(completed.map(({ run }) => run)),
    completed.map(({ ending }) => ending),
  ])
  return rows.map(({ receiptId }) => receiptId)
}

const finishReceiptsSql = madeOnce(
  (schema) => `
  select ${schema}.finish_receipts(
    $1::bigint[], $2::bigint[], $3::int[], $4::text[], $5::text[], $6::text[], $7::text[], $8::float8[], $9::text[]
  )::text`,
)

/** For the end of the transaction, which fails with `OHLL0` if one of the leases was lost. */
export function finishReceiptsCall(schema: string, completed: readonly CompletedReceipt[]): SqlCall {
  const ids = completed.map(({ lease }) => lease.receiptId)
  const fences = completed.map(({ lease }) => lease.fence)
  const endings = completed.map(({ ending }) => ending)
  const runs = encodedRuns(completed.map(({ run }) => run))
  const values = [binaryArray('int8', ids), binaryArray('int8', fences), ...runs, binaryArray('text', endings)]
  return { text: finishReceiptsSql(schema), values }
}

const completeInlinesSql = madeOnce(
  (schema) => `
  select ${schema}.complete_inlines(
    $1::bigint[], $2::int[], $3::text[], $4::text[], $5::text[], $6::text[], $7::float8[], $8::text[]
  )::text`,
)

export async function completeInlines(
  { query, schema }: Database,
  completed: readonly CompletedInline[],
): Promise<void> {
  await query(completeInlinesSql(schema), [
    completed.map(({ receiptId }) => receiptId),
    ...runValues(completed.map(({ run }) => run)),
    completed.map(({ ending }) => ending),
  ])
}

/** The same for the end of the transaction. */
export function finishInlinesCall(schema: string, completed: readonly CompletedInline[]): SqlCall {
  const ids = completed.map(({ receiptId }) => receiptId)
  const endings = completed.map(({ ending }) => ending)
  const runs = encodedRuns(completed.map(({ run }) => run))
  return { text: completeInlinesSql(schema), values: [binaryArray('int8', ids), ...runs, binaryArray('text', endings)] }
}
