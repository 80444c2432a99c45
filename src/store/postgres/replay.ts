import { invalidOptions } from '../../errors.ts'
import type { ReceiptFilter } from '../../receipt/receipt.ts'
import type { ReplayNote } from '../store.ts'
import type { Database } from './database.ts'
import { chooseReceipts, statusesOf } from './receipt-filter.ts'

/** What may be put back at all: the rest is in the queue already. */
const replayable = ['failed', 'ignored', 'processed', 'stale', 'same_change'] as const
/** A processed event is only repeated by someone who says so. */
const replayedByDefault = ['failed', 'ignored'] as const

/**
 * The lock on the receipts makes a second replay wait and then see the new status, so that it leaves them alone,
 * even if a worker has finished them in between. What the handlers of a dead letter completed stays completed.
 */
const replaySql = (schema: string, condition: string, limit: string, note: { by: string; why: string }): string => `
  with chosen as (
    select receipts.id, receipts.environment, receipts.source, receipts.order_key, receipts.status
    from ${schema}.receipts
    left join ${schema}.queue on queue.receipt_id = receipts.id
    where ${condition} and queue.receipt_id is null
    order by receipts.id desc
    limit ${limit}
    for update of receipts
  ), queued as (
    insert into ${schema}.queue (receipt_id, environment, source, due_at, order_key)
    select id, environment, source, clock_timestamp(), order_key from chosen order by id
    on conflict (receipt_id) do nothing
    returning receipt_id
  ), reset as (
    update ${schema}.receipts
    set status = 'received', attempts = 0, processed_at = null, failed_at = null
    from queued
    where receipts.id = queued.receipt_id
  ), cleared as (
    delete from ${schema}.completions
    using chosen
    where completions.receipt_id = chosen.id and chosen.status <> 'failed'
  ), noted as (
    insert into ${schema}.replays (receipt_id, "by", why, at)
    select receipt_id, ${note.by}::text, ${note.why}::text, clock_timestamp() from queued
  )
  select receipt_id::text as "receiptId" from queued order by receipt_id`

export async function replay(
  { query, schema }: Database,
  environment: string,
  { filter, note }: { readonly filter: ReceiptFilter; readonly note: ReplayNote },
): Promise<readonly string[]> {
  const mistakes = [
    ...(note.by.trim() === '' ? ['by is empty; say who asks for it.'] : []),
    ...(note.why.trim() === '' ? ['why is empty; say the reason, it is kept with the receipt.'] : []),
  ]
  if (mistakes.length > 0) throw invalidOptions('The replay', mistakes)

  const wanted: readonly string[] = statusesOf(filter) ?? replayedByDefault
  const status = replayable.filter((one) => wanted.includes(one))
  // Who names no limit means all of them.
  const { limit = Number.MAX_SAFE_INTEGER } = filter
  const choice = chooseReceipts(schema, environment, { ...filter, status, limit })
  if (choice === undefined) return []
  const by = `$${choice.values.length + 1}`
  const why = `$${choice.values.length + 2}`
  const text = replaySql(schema, choice.condition, choice.limit, { by, why })
  const rows = await query<{ readonly receiptId: string }>(text, [...choice.values, note.by, note.why])
  return rows.map(({ receiptId }) => receiptId)
}
