import type { Ending } from '../../receipt/receipt.ts'
import type { HandlerRun, InlineCompletion, Lease } from '../store.ts'
import { binaryArray } from './binary-arrays.ts'
import type { Database } from './database.ts'
import { encodedRuns, logRunsSql, runValues } from './runs.ts'
import { madeOnce } from './schema-name.ts'
import type { SqlCall } from './sql-client.ts'

/** The functions are in the migrations. */
const completeReceiptSql = madeOnce(
  (schema) => `
  select ${schema}.complete_receipt(
    $1::bigint, $2::bigint, $3::int, $4::text, $5::text, $6::text, $7::text, $8::float8, $9::text
  ) as "isHeld"`,
)

export async function completeReceipt(
  { query, schema }: Database,
  lease: Lease,
  { run, ending }: { readonly run: HandlerRun; readonly ending: Ending },
): Promise<boolean> {
  const { attempt, handler, worker, outcome, error, tookMilliseconds } = run
  const rows = await query<{ readonly isHeld: boolean }>(completeReceiptSql(schema), [
    lease.receiptId,
    lease.fence,
    attempt,
    handler,
    worker,
    outcome,
    error ?? null,
    tookMilliseconds,
    ending,
  ])
  return rows[0]?.isHeld === true
}

const finishReceiptSql = madeOnce(
  (schema) =>
    `select ${schema}.finish_receipt($1::bigint, $2::bigint, $3::int, $4::text, $5::text, $6::text, $7::text, $8::float8, $9::text)::text`,
)

/** The same for the end of the transaction. */
export function finishReceiptCall(
  schema: string,
  lease: Lease,
  { run, ending }: { readonly run: HandlerRun; readonly ending: Ending },
): SqlCall {
  const { attempt, handler, worker, outcome, error = null, tookMilliseconds } = run
  const values = [lease.receiptId, lease.fence, String(attempt), handler, worker, outcome, error]
  return { text: finishReceiptSql(schema), values: [...values, String(tookMilliseconds), ending] }
}

const completeHandlerSql = (schema: string): string => `
  with held as (
    select receipt_id from ${schema}.queue where receipt_id = $1::bigint and fence = $2::bigint for update
  ), completed as (
    insert into ${schema}.completions (receipt_id, handler, ending)
    select held.receipt_id, $9::text, $10::text from held
    on conflict (receipt_id, handler) do nothing
  ), known as (
    select receipts.environment, receipts.source, receipts.event_id
    from held join ${schema}.receipts on receipts.id = held.receipt_id
  ), logged as (${logRunsSql(schema, 'known', 3)})
  select true as done from held`

export async function completeHandler(
  { query, schema }: Database,
  lease: Lease,
  { run, ending }: { readonly run: HandlerRun; readonly ending: Ending },
): Promise<boolean> {
  const values = [lease.receiptId, lease.fence, ...runValues([run]), run.handler, ending]
  const rows = await query(completeHandlerSql(schema), values)
  return rows.length === 1
}

const completeInlineSql = madeOnce(
  (schema) => `
  select ${schema}.complete_inline(
    $1::bigint, $2::boolean, $3::text, $4::int, $5::int[], $6::text[], $7::text[], $8::text[], $9::text[], $10::float8[],
    $11::text[], $12::text[]
  )::text`,
)

export async function completeInline({ query, schema }: Database, completion: InlineCompletion): Promise<void> {
  await query(completeInlineSql(schema), valuesOf(completion))
}

/** The same for the end of the transaction. */
export function finishInlineCall(schema: string, completion: InlineCompletion): SqlCall {
  const { receiptId, runs } = completion
  const { isQueued, ending, attempts, done } = partsOf(completion)
  const handlers = binaryArray('text', [...done.keys()])
  const endings = binaryArray('text', [...done.values()])
  const values = [receiptId, String(isQueued), ending, String(attempts), ...encodedRuns(runs), handlers, endings]
  return { text: completeInlineSql(schema), values }
}

function valuesOf(completion: InlineCompletion): readonly unknown[] {
  const { isQueued, ending, attempts, done } = partsOf(completion)
  const runs = runValues(completion.runs)
  return [completion.receiptId, isQueued, ending, attempts, ...runs, [...done.keys()], [...done.values()]]
}

function partsOf({ runs, next, endings }: InlineCompletion): {
  readonly isQueued: boolean
  readonly ending: Ending
  readonly attempts: number
  readonly done: ReadonlyMap<string, Ending>
} {
  const done = new Map<string, Ending>()
  let attempts = 1
  for (const [index, { outcome, handler, attempt }] of runs.entries()) {
    attempts = Math.max(attempts, attempt)
    if (outcome === 'succeeded') done.set(handler, endings[index] ?? 'processed')
  }
  return { isQueued: next === 'queue', ending: next === 'queue' ? 'processed' : next, attempts, done }
}
