import type { Receipt, ReceiptFilter, ReceiptOrigin, ReceiptStatus } from '../../receipt/receipt.ts'
import type { StatusCount } from '../store.ts'
import { type Database, millisecondsSql, optionalDate, statusSql } from './database.ts'
import { chooseReceipts } from './receipt-filter.ts'

/** A receipt with what the queue knows of it; every reader of receipts uses these columns. */
export const receiptColumnsSql: string = `
  receipts.id::text as id, receipts.environment, receipts.source, receipts.event_id as "eventId", receipts.type,
  receipts.delivery_id as "deliveryId", receipts.object_id as "objectId",
  ${millisecondsSql('receipts.occurred_at')} as "occurredAt", ${millisecondsSql('receipts.received_at')} as "receivedAt",
  ${statusSql} as status, coalesce(queue.attempts, receipts.attempts) as attempts,
  ${millisecondsSql('receipts.processed_at')} as "processedAt",
  case when queue.leased_by is null then ${millisecondsSql('queue.due_at')} end as "nextAttemptAt",
  receipts.last_error as "lastError", receipts.deliveries, receipts.secret_index::int as "secretIndex",
  encode(receipts.body_hash, 'hex') as "bodyHash", coalesce(receipts.origin, 'webhook') as origin,
  receipts.repeats_event_id as "repeatsEventId", ${millisecondsSql('receipts.held_at')} as "heldAt"`

export type ReceiptRow = {
  readonly id: string
  readonly environment: string
  readonly source: string
  readonly eventId: string
  readonly type: string
  readonly deliveryId: string | null
  readonly objectId: string | null
  readonly occurredAt: number | null
  readonly receivedAt: number
  readonly status: ReceiptStatus
  readonly attempts: number
  readonly processedAt: number | null
  readonly nextAttemptAt: number | null
  readonly lastError: string | null
  readonly deliveries: number
  readonly secretIndex: number | null
  readonly bodyHash: string
  readonly origin: ReceiptOrigin
  readonly repeatsEventId: string | null
  readonly heldAt: number | null
}

export function toReceipt(row: ReceiptRow): Receipt {
  return {
    ...row,
    deliveryId: row.deliveryId ?? undefined,
    objectId: row.objectId ?? undefined,
    occurredAt: optionalDate(row.occurredAt),
    receivedAt: new Date(row.receivedAt),
    processedAt: optionalDate(row.processedAt),
    nextAttemptAt: optionalDate(row.nextAttemptAt),
    lastError: row.lastError ?? undefined,
    secretIndex: row.secretIndex ?? undefined,
    repeatsEventId: row.repeatsEventId ?? undefined,
    heldAt: optionalDate(row.heldAt),
  }
}

/** Newest first. */
const findReceiptsSql = (schema: string, condition: string, limit: string): string => `
  select ${receiptColumnsSql}
  from ${schema}.receipts
  left join ${schema}.queue on queue.receipt_id = receipts.id
  where ${condition}
  order by receipts.id desc
  limit ${limit}`

export async function findReceipts(
  { query, schema }: Database,
  environment: string,
  filter: ReceiptFilter,
): Promise<readonly Receipt[]> {
  const choice = chooseReceipts(schema, environment, filter)
  if (choice === undefined) return []
  const rows = await query<ReceiptRow>(findReceiptsSql(schema, choice.condition, choice.limit), choice.values)
  return rows.map(toReceipt)
}

const countsSql = (schema: string): string => `
  select receipts.source, ${statusSql} as status, count(receipts.id)::float8 as count
  from ${schema}.receipts
  left join ${schema}.queue on queue.receipt_id = receipts.id
  where receipts.environment = $1::text
  group by 1, 2
  order by 1, 2`

export async function counts({ query, schema }: Database, environment: string): Promise<readonly StatusCount[]> {
  return query<StatusCount>(countsSql(schema), [environment])
}
