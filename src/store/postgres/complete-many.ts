import type { CompletedReceipt } from '../store.ts'
import type { Database } from './database.ts'
import { runsSql, runValues } from './runs.ts'

/**
 * Many receipts in one statement, each behind its fence. None of them has other handlers, so that nothing about those is looked up.
 * `ordinality` puts the runs beside the leases.
 */
const completeReceiptsSql = (schema: string): string => `
  with given as (
    select lease.receipt_id, lease.fence, lease.ending, run.*
    from unnest($1::bigint[], $2::bigint[], $9::text[]) with ordinality as lease (receipt_id, fence, ending, number)
    join (select run.*, row_number() over () as number from ${runsSql(3)}) as run using (number)
  ), finished as (
    delete from ${schema}.queue using given
    where queue.receipt_id = given.receipt_id and queue.fence = given.fence
    returning queue.receipt_id, queue.attempts
  ), processed as (
    update ${schema}.receipts
    set status = given.ending, processed_at = clock_timestamp(), attempts = finished.attempts, last_error = null
    from finished join given using (receipt_id)
    where receipts.id = finished.receipt_id
    returning receipts.id, receipts.environment, receipts.source, receipts.event_id
  ), logged as (
    insert into ${schema}.attempts
      (environment, source, event_id, attempt, handler, worker, outcome, error, started_at, ended_at)
    select processed.environment, processed.source, processed.event_id, given.attempt, given.handler, given.worker,
      given.outcome, given.error, clock_timestamp() - make_interval(secs => given.took_ms / 1000), clock_timestamp()
    from processed join given on given.receipt_id = processed.id
  )
  select receipt_id::text as "receiptId" from finished`

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
