import type { Lease } from '../store.ts'
import type { Database } from './database.ts'

const leasesSql = 'unnest($1::bigint[], $2::bigint[]) as lease (receipt_id, fence)'

/**
 * A row that is locked is being completed or taken over at this moment, and is not waited for: one long commit must not
 * let all other leases of the worker run out. It counts as held as long as its fence says so.
 */
const renewLeasesSql = (schema: string): string => `
  with renewable as (
    select queue.receipt_id
    from ${leasesSql} join ${schema}.queue using (receipt_id, fence)
    order by queue.receipt_id
    for update of queue skip locked
  ), renewed as (
    update ${schema}.queue
    set due_at = clock_timestamp() + make_interval(secs => $3::float8)
    from renewable
    where queue.receipt_id = renewable.receipt_id
  )
  select queue.receipt_id::text as "receiptId"
  from ${leasesSql} join ${schema}.queue using (receipt_id, fence)`

export async function renewLeases(
  { query, schema }: Database,
  leases: readonly Lease[],
  leaseSeconds: number,
): Promise<readonly string[]> {
  if (leases.length === 0) return []
  const rows = await query<{ readonly receiptId: string }>(renewLeasesSql(schema), [
    ...leaseValues(leases),
    leaseSeconds,
  ])
  return rows.map(({ receiptId }) => receiptId)
}

/** The attempt is taken back, because nothing was tried. */
const handBackSql = (schema: string): string => `
  with returned as (
    select queue.receipt_id
    from ${leasesSql} join ${schema}.queue using (receipt_id, fence)
    order by queue.receipt_id
    for update of queue
  )
  update ${schema}.queue
  set fence = null, leased_by = null, attempts = greatest(0, queue.attempts - 1),
    due_at = clock_timestamp() + make_interval(secs => $3::float8)
  from returned
  where queue.receipt_id = returned.receipt_id`

export async function handBack({ query, schema }: Database, leases: readonly Lease[], delaySeconds = 0): Promise<void> {
  if (leases.length === 0) return
  await query(handBackSql(schema), [...leaseValues(leases), delaySeconds])
}

function leaseValues(leases: readonly Lease[]): readonly unknown[] {
  return [leases.map(({ receiptId }) => receiptId), leases.map(({ fence }) => fence)]
}
