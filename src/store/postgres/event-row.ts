import type { IdentifiedEvent } from '../../verify/provider.ts'
import type { ReadReceipt, StoredBody } from '../store.ts'
import { type Database, millisecondsSql } from './database.ts'
import { isReceiptId } from './receipt-filter.ts'

/** What handlers may ask for, of a receipt that is joined as `receipts` and its body as `bodies`. */
export const eventColumnsSql = (schema: string): string => `
  receipts.event_id as "eventId", receipts.type, receipts.delivery_id as "deliveryId", receipts.object_id as "objectId",
  receipts.part, ${millisecondsSql('receipts.occurred_at')} as "occurredAt",
  (select coalesce(json_agg(handler order by handler), '[]')::text
    from ${schema}.completions where completions.receipt_id = receipts.id) as "completedHandlers",
  encode(bodies.content, 'hex') as content, bodies.headers`

export const joinBodiesSql = (schema: string): string => `
  left join ${schema}.bodies
    on bodies.stored_on = (receipts.received_at at time zone 'UTC')::date and bodies.id = receipts.body_id`

export type EventRow = {
  readonly eventId: string
  readonly type: string
  readonly deliveryId: string | null
  readonly objectId: string | null
  readonly part: string | null
  readonly occurredAt: number | null
  readonly completedHandlers: string
  readonly content: string | null
  readonly headers: string | null
}

export function toReadReceipt(row: EventRow): ReadReceipt {
  return { event: toEvent(row), completedHandlers: JSON.parse(row.completedHandlers) as string[], body: toBody(row) }
}

function toEvent({ eventId, type, deliveryId, objectId, occurredAt, part }: EventRow): IdentifiedEvent {
  return {
    id: eventId,
    type,
    ...(deliveryId !== null && { deliveryId }),
    ...(objectId !== null && { objectId }),
    ...(occurredAt !== null && { occurredAt: new Date(occurredAt) }),
    ...(part !== null && { part }),
  }
}

/** Bytes and headers as they were given, or undefined if they were pruned. */
function toBody({ content, headers }: EventRow): StoredBody | undefined {
  if (content === null || headers === null) return undefined
  return { content: Buffer.from(content, 'hex'), headers: JSON.parse(headers) as [string, string][] }
}

const readReceiptSql = (schema: string): string => `
  select ${eventColumnsSql(schema)}
  from ${schema}.receipts ${joinBodiesSql(schema)}
  where receipts.environment = $1::text and receipts.id = $2::bigint`

export async function readReceipt(
  { query, schema }: Database,
  environment: string,
  receiptId: string,
): Promise<ReadReceipt | undefined> {
  if (!isReceiptId(receiptId)) return undefined
  const [row] = await query<EventRow>(readReceiptSql(schema), [environment, receiptId])
  return row === undefined ? undefined : toReadReceipt(row)
}
