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

const finishAlikeSql = madeOnce(
  (schema) => `
  select ${schema}.finish_alike($1::bigint[], $2::bigint[], $3::text, $4::text, $5::float8[], $6::text)::text`,
)

/** For the end of the transaction, which fails with `OHLL0` if one of the leases was lost. */
export function finishReceiptsCall(schema: string, completed: readonly CompletedReceipt[]): SqlCall {
  const [first] = completed
  if (first !== undefined && completed.every((one) => isAlike(one, first)))
    return finishAlikeCall(schema, completed, first)
  const ids = completed.map(({ lease }) => lease.receiptId)
  const fences = completed.map(({ lease }) => lease.fence)
  const endings = completed.map(({ ending }) => ending)
  const runs = encodedRuns(completed.map(({ run }) => run))
  const values = [binaryArray('int8', ids), binaryArray('int8', fences), ...runs, binaryArray('text', endings)]
  return { text: finishReceiptsSql(schema), values }
}

/** Nearly every group: one handler, which succeeded for all of them. */
function isAlike({ run, ending }: CompletedReceipt, first: CompletedReceipt): boolean {
  const { handler, worker, outcome, error } = run
  const isSameRun = handler === first.run.handler && worker === first.run.worker
  return isSameRun && outcome === 'succeeded' && error === undefined && ending === first.ending
}

function finishAlikeCall(schema: string, completed: readonly CompletedReceipt[], first: CompletedReceipt): SqlCall {
  const sorted = completed.toSorted(byReceipt)
  const isAsLong = sorted.every(({ run }) => run.tookMilliseconds === first.run.tookMilliseconds)
  const timed = isAsLong ? [first] : sorted
  return {
    text: finishAlikeSql(schema),
    values: [
      binaryArray(
        'int8',
        sorted.map(({ lease }) => lease.receiptId),
      ),
      binaryArray(
        'int8',
        sorted.map(({ lease }) => lease.fence),
      ),
      first.run.handler,
      first.run.worker,
      binaryArray(
        'float8',
        timed.map(({ run }) => run.tookMilliseconds),
      ),
      first.ending,
    ],
  }
}

/** By number: what has more digits is greater. */
function byReceipt(
  { lease: { receiptId: one } }: CompletedReceipt,
  { lease: { receiptId: other } }: CompletedReceipt,
): number {
  return one.length - other.length || (one < other ? -1 : Number(one > other))
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
