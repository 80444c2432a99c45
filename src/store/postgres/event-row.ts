import { keyNotGiven } from '../../privacy/encryption-errors.ts'
import type { IdentifiedEvent } from '../../verify/provider.ts'
import type { Writable } from '../../verify/writable.ts'
import type { ReadReceipt, StoredBody } from '../store.ts'
import { bodyOf, textBodyOf } from './body-envelope.ts'
import { type Database, millisecondsSql } from './database.ts'
import { isReceiptId } from './receipt-filter.ts'
import { withKeptBodies } from './retention/kept-bodies.ts'

/** What handlers may ask for, of a receipt that is joined as `receipts` and its body as `bodies`. */
const eventColumnsSql = (schema: string): string => `
  receipts.source, receipts.event_id as "eventId", receipts.type, receipts.delivery_id as "deliveryId", receipts.object_id as "objectId",
  receipts.part, receipts.body_id::text as "bodyId", ${millisecondsSql('receipts.occurred_at')} as "occurredAt",
  (select json_agg(handler order by handler)::text
    from ${schema}.completions where completions.receipt_id = receipts.id) as "completedHandlers",
  encode(bodies.content, 'hex') as content, bodies.headers`

export const joinBodiesSql = (schema: string): string => `
  left join ${schema}.bodies
    on bodies.stored_on = (receipts.received_at at time zone 'UTC')::date and bodies.id = receipts.body_id`

export type EventRow = {
  readonly source: string
  readonly eventId: string
  readonly type: string
  readonly deliveryId: string | null
  readonly objectId: string | null
  readonly part: string | null
  readonly bodyId: string
  readonly occurredAt: number | null
  /** A JSON list; null if none is. */
  readonly completedHandlers: string | null
  /** The body, where it was read as text. */
  readonly text?: string | null
  /** Otherwise its bytes, as digits. */
  readonly content: string | null
  readonly headers: string | null
}

export function toReadReceipt(row: EventRow): ReadReceipt {
  const { completedHandlers } = row
  return {
    event: toEvent(row),
    completedHandlers: completedHandlers === null ? [] : (JSON.parse(completedHandlers) as string[]),
    body: toBody(row),
    bodyId: row.bodyId,
  }
}

function toEvent({ eventId, type, deliveryId, objectId, occurredAt, part }: EventRow): IdentifiedEvent {
  const event: Writable<IdentifiedEvent> = { id: eventId, type }
  if (deliveryId !== null) event.deliveryId = deliveryId
  if (objectId !== null) event.objectId = objectId
  if (occurredAt !== null) event.occurredAt = new Date(occurredAt)
  if (part !== null) event.part = part
  return event
}

/** Bytes and headers as they were given, or undefined if they were pruned. */
function toBody({ source, text, content, headers }: EventRow): StoredBody | undefined {
  if (headers === null) return undefined
  if (typeof text === 'string') return textBodyOf(text, headers)
  return content === null ? undefined : bodyOf(Buffer.from(content, 'hex'), headers, source)
}

const readReceiptSql = (schema: string): string => `
  select receipts.id::text as "receiptId", ${eventColumnsSql(schema)}
  from ${schema}.receipts ${joinBodiesSql(schema)}
  where receipts.environment = $1::text and receipts.id = $2::bigint`

export async function readReceipt(
  database: Database,
  environment: string,
  receiptId: string,
): Promise<ReadReceipt | undefined> {
  if (!isReceiptId(receiptId)) return undefined
  const { query, schema } = database
  const rows = await query<EventRow & { readonly receiptId: string }>(readReceiptSql(schema), [environment, receiptId])
  const [row] = await withKeptBodies(database, rows)
  return row === undefined ? undefined : toReadReceipt(row)
}

/** Whoever has the key opens the receipt instead. */
export async function readBody(
  database: Database,
  environment: string,
  receiptId: string,
): Promise<StoredBody | undefined> {
  const body = (await readReceipt(database, environment, receiptId))?.body
  if (body?.sealed !== undefined) throw keyNotGiven(body.sealed.keyId)
  return body
}
