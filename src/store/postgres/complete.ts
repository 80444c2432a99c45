import type { Ending } from '../../receipt/receipt.ts'
import type { HandlerRun, InlineCompletion, Lease } from '../store.ts'
import type { Database } from './database.ts'
import { type Literal, literal } from './literals.ts'
import { logRunsSql, runValues } from './runs.ts'

/** The functions are in the migrations. */
const completeReceiptSql = (schema: string): string => `
  select ${schema}.complete_receipt(
    $1::bigint, $2::bigint, $3::int, $4::text, $5::text, $6::text, $7::text, $8::float8, $9::text
  ) as "isHeld"`

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

/** The same as a statement for the end of the transaction. */
export function finishReceiptSql(
  schema: string,
  lease: Lease,
  { run, ending }: { readonly run: HandlerRun; readonly ending: Ending },
): string {
  const { attempt, handler, worker, outcome, error = null, tookMilliseconds } = run
  const values = [lease.receiptId, lease.fence, attempt, handler, worker, outcome, error, tookMilliseconds, ending]
  return `select ${schema}.finish_receipt(${values.map(literal).join(', ')})`
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

const completeInlineSql = (schema: string): string => `
  select ${schema}.complete_inline(
    $1::bigint, $2::boolean, $3::text, $4::int, $5::int[], $6::text[], $7::text[], $8::text[], $9::text[], $10::float8[],
    $11::text[], $12::text[]
  )::text`

export async function completeInline({ query, schema }: Database, completion: InlineCompletion): Promise<void> {
  await query(completeInlineSql(schema), valuesOf(completion))
}

/** The same as a statement for the end of the transaction. */
export function finishInlineSql(schema: string, completion: InlineCompletion): string {
  const values = valuesOf(completion).map((value, index) => `${literal(value)}::${inlineTypes[index]}`)
  return `select ${schema}.complete_inline(${values.join(', ')})`
}

/** In the order of `valuesOf`. */
const inlineTypes = 'bigint boolean text int int[] text[] text[] text[] text[] float8[] text[] text[]'.split(' ')

function valuesOf({ receiptId, runs, next, endings }: InlineCompletion): readonly Literal[] {
  const attempts = Math.max(1, ...runs.map(({ attempt }) => attempt))
  const done = new Map(
    runs.flatMap(({ outcome, handler }, index) =>
      outcome === 'succeeded' ? [[handler, endings[index] ?? 'processed']] : [],
    ),
  )
  const ending = next === 'queue' ? 'processed' : next
  const isQueued = next === 'queue'
  return [receiptId, isQueued, ending, attempts, ...runValues(runs), [...done.keys()], [...done.values()]]
}
