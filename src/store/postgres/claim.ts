import type { Claim, ClaimRequest, ClaimScope } from '../store.ts'
import { type Database, millisecondsSql } from './database.ts'
import { type EventRow, eventColumnsSql, joinBodiesSql, toReadReceipt } from './event-row.ts'
import { isConflict, sqlState } from './sql-errors.ts'

/**
 * Of the events with one order key only the earliest may be claimed, and none while another of them is leased.
 * An expired lease comes before an earlier event that was put back meanwhile; otherwise each would wait for the other.
 */
const isItsTurnSql = (schema: string): string => `
  (queue.order_key is null or not exists (
    select from ${schema}.queue as other
    where other.environment = queue.environment and other.source = queue.source and other.order_key = queue.order_key
      and other.receipt_id <> queue.receipt_id
      and (other.leased_by is not null or (queue.leased_by is null and other.receipt_id < queue.receipt_id))
  ))`

/**
 * Locks, leases and reads in one statement. `skip locked` is what hands no event to two workers; the lease is the due time
 * pushed ahead by the database's clock. A row that was leased before belonged to a worker that is gone: that is logged.
 */
const claimSql = (schema: string): string => `
  with due as (
    select queue.receipt_id, queue.leased_by, queue.attempts, queue.due_at
    from ${schema}.queue
    where queue.environment = $1::text and queue.source = any ($2::text[])
      and queue.due_at <= (select clock_timestamp()) and queue.receipt_id <> all ($6::bigint[]) and ${isItsTurnSql(schema)}
    order by queue.due_at
    limit $4::int
    for update skip locked
  ), claimed as (
    update ${schema}.queue
    set fence = nextval('${schema}.fences'), attempts = queue.attempts + 1, leased_by = $3::text,
      due_at = clock_timestamp() + make_interval(secs => $5::float8)
    from due
    where queue.receipt_id = due.receipt_id
    returning queue.receipt_id, queue.fence, queue.attempts, due.leased_by as earlier_worker,
      due.attempts as earlier_attempt, due.due_at as due_at
  ), abandoned as (
    insert into ${schema}.attempts
      (environment, source, event_id, attempt, handler, worker, outcome, error, started_at, ended_at)
    select receipts.environment, receipts.source, receipts.event_id, claimed.earlier_attempt, '*', claimed.earlier_worker,
      'abandoned', 'The worker did not finish before its lease ran out.', claimed.due_at, clock_timestamp()
    from claimed join ${schema}.receipts on receipts.id = claimed.receipt_id
    where claimed.earlier_worker is not null
  )
  select claimed.receipt_id::text as "receiptId", claimed.fence::text as fence, claimed.attempts as attempt,
    receipts.environment, receipts.source, ${millisecondsSql('receipts.received_at')} as "receivedAt",
    extract(epoch from clock_timestamp() - receipts.received_at)::float8 as "ageSeconds", ${eventColumnsSql(schema)}
  from claimed
  join ${schema}.receipts on receipts.id = claimed.receipt_id ${joinBodiesSql(schema)}
  order by claimed.due_at, claimed.receipt_id`

type ClaimRow = EventRow & {
  readonly receiptId: string
  readonly fence: string
  readonly attempt: number
  readonly environment: string
  readonly source: string
  readonly receivedAt: number
  readonly ageSeconds: number
}

const attemptsToClaim = 5

export async function claim({ query, schema }: Database, request: ClaimRequest): Promise<readonly Claim[]> {
  const { environment, sources, worker, limit, leaseSeconds, except = [] } = request
  for (let attempt = 1; ; attempt += 1) {
    try {
      const rows = await query<ClaimRow>(claimSql(schema), [environment, sources, worker, limit, leaseSeconds, except])
      return rows.map(toClaim)
    } catch (error) {
      // Another worker leased an event of the same order key in the same moment.
      const isRace = sqlState(error) === '23505' || isConflict(error)
      if (!isRace || attempt === attemptsToClaim) throw error
    }
  }
}

function toClaim(row: ClaimRow): Claim {
  const { environment, source, eventId, receiptId, fence, attempt, receivedAt, ageSeconds } = row
  return {
    environment,
    source,
    eventId,
    lease: { receiptId, fence },
    attempt,
    receivedAt: new Date(receivedAt),
    ageSeconds,
    ...toReadReceipt(row),
  }
}

/** Events that must wait for another one of their order key do not count: that one's time is the time. */
const untilDueSql = (schema: string): string => `
  select greatest(0, extract(epoch from queue.due_at - clock_timestamp()) * 1000)::float8 as milliseconds
  from ${schema}.queue
  where queue.environment = $1::text and queue.source = any ($2::text[]) and queue.receipt_id <> all ($3::bigint[])
    and ${isItsTurnSql(schema)}
  order by queue.due_at
  limit 1`

export async function millisecondsUntilDue(
  { query, schema }: Database,
  { environment, sources, except = [] }: ClaimScope,
): Promise<number | undefined> {
  const rows = await query<{ readonly milliseconds: number }>(untilDueSql(schema), [environment, sources, except])
  return rows[0] === undefined ? undefined : Math.ceil(rows[0].milliseconds)
}
