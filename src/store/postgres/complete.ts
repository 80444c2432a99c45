import type { Ending, EventKey } from '../../receipt/receipt.ts'
import type { HandlerRun, Lease } from '../store.ts'
import type { Database } from './database.ts'
import { logRunsSql, runValues } from './runs.ts'

/** How a receipt ends whose handlers ended as the CTE `endings` says. */
const endingSql = `
  (select case when bool_or(ending = 'stale') then 'stale' when bool_and(ending = 'same_change') then 'same_change'
    else 'processed' end from endings)`

/**
 * The fence in the condition is what stops a worker that paused past its lease from finishing.
 * It stands at the end of the handler's transaction, so no lock on the queue is held while the handler runs.
 */
const completeReceiptSql = (schema: string): string => `
  with finished as (
    delete from ${schema}.queue
    where receipt_id = $1::bigint and fence = $2::bigint
    returning receipt_id, attempts
  ), cleared as (
    delete from ${schema}.completions using finished where completions.receipt_id = finished.receipt_id
    returning completions.ending
  ), endings as (
    select ending from cleared union all select $9::text
  ), processed as (
    update ${schema}.receipts
    set status = ${endingSql}, processed_at = clock_timestamp(), attempts = finished.attempts, last_error = null
    from finished
    where receipts.id = finished.receipt_id
    returning receipts.environment, receipts.source, receipts.event_id
  ), logged as (${logRunsSql(schema, 'processed', 3)})
  select true as done from finished`

export async function completeReceipt(
  { query, schema }: Database,
  lease: Lease,
  { run, ending }: { readonly run: HandlerRun; readonly ending: Ending },
): Promise<boolean> {
  const rows = await query(completeReceiptSql(schema), [lease.receiptId, lease.fence, ...runValues([run]), ending])
  return rows.length === 1
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

/** Handlers that are done are remembered if others are still to run in the queue. */
const completeInlineSql = (schema: string): string => `
  with receipt as (
    update ${schema}.receipts
    set status = case when $2::boolean then 'received' else $11::text end,
      processed_at = case when $2::boolean then null else clock_timestamp() end,
      attempts = greatest(attempts, $9::int)
    where id = $1::bigint
    returning id, environment, source, event_id, order_key
  ), queued as (
    insert into ${schema}.queue (receipt_id, environment, source, due_at, order_key)
    select id, environment, source, clock_timestamp(), order_key from receipt where $2::boolean
    on conflict (receipt_id) do nothing
  ), completed as (
    insert into ${schema}.completions (receipt_id, handler, ending)
    select receipt.id, done.handler, done.ending
    from receipt cross join unnest($10::text[], $12::text[]) as done (handler, ending) where $2::boolean
    on conflict (receipt_id, handler) do nothing
  ), logged as (${logRunsSql(schema, 'receipt', 3)})
  select true as done from receipt`

export async function completeInline(
  { query, schema }: Database,
  { receiptId }: EventKey & { readonly receiptId: string },
  {
    runs,
    next,
    endings,
  }: { readonly runs: readonly HandlerRun[]; readonly next: Ending | 'queue'; readonly endings: readonly Ending[] },
): Promise<void> {
  const attempts = Math.max(1, ...runs.map(({ attempt }) => attempt))
  const done = new Map(
    runs.flatMap(({ outcome, handler }, index) =>
      outcome === 'succeeded' ? [[handler, endings[index] ?? 'processed']] : [],
    ),
  )
  await query(completeInlineSql(schema), [
    receiptId,
    next === 'queue',
    ...runValues(runs),
    attempts,
    [...done.keys()],
    next === 'queue' ? 'processed' : next,
    [...done.values()],
  ])
}
