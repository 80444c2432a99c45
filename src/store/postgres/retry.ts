import type { HandlerRun, Later, Lease } from '../store.ts'
import type { Database } from './database.ts'
import { logRunsSql, runValues } from './runs.ts'

/** A deferral takes its attempt back and leaves the status as it was. */
const retryLaterSql = (schema: string): string => `
  with released as (
    update ${schema}.queue
    set fence = null, leased_by = null, due_at = clock_timestamp() + make_interval(secs => $9::float8),
      attempts = case when $10::boolean then queue.attempts else greatest(0, queue.attempts - 1) end
    where receipt_id = $1::bigint and fence = $2::bigint
    returning receipt_id, attempts
  ), noted as (
    update ${schema}.receipts
    set status = case when $10::boolean then 'retrying' else receipts.status end, attempts = released.attempts,
      last_error = $11::text
    from released
    where receipts.id = released.receipt_id
    returning receipts.environment, receipts.source, receipts.event_id
  ), logged as (${logRunsSql(schema, 'noted', 3)})
  select true as done from released`

export async function retryLater({ query, schema }: Database, lease: Lease, later: Later): Promise<boolean> {
  const rows = await query(retryLaterSql(schema), [
    lease.receiptId,
    lease.fence,
    ...runValues(later.runs),
    later.seconds,
    later.kind === 'retrying',
    later.error,
  ])
  return rows.length === 1
}

/**
 * What its handlers completed is kept, so that a replay does not repeat it.
 * A claim that only buried the event was no attempt at running it.
 */
const deadLetterSql = (schema: string): string => `
  with dead as (
    delete from ${schema}.queue
    where receipt_id = $1::bigint and fence = $2::bigint
    returning receipt_id, attempts
  ), noted as (
    update ${schema}.receipts
    set status = 'failed', failed_at = clock_timestamp(), last_error = $9::text,
      attempts = dead.attempts - case when $10::boolean then 0 else 1 end
    from dead
    where receipts.id = dead.receipt_id
    returning receipts.environment, receipts.source, receipts.event_id
  ), logged as (${logRunsSql(schema, 'noted', 3)})
  select true as done from dead`

export async function deadLetter(
  { query, schema }: Database,
  lease: Lease,
  { error, runs }: { readonly error: string; readonly runs: readonly HandlerRun[] },
): Promise<boolean> {
  const rows = await query(deadLetterSql(schema), [
    lease.receiptId,
    lease.fence,
    ...runValues(runs),
    error,
    runs.length > 0,
  ])
  return rows.length === 1
}
