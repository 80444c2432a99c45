import type { ReceiptFilter, ReceiptStatus } from '../../receipt/receipt.ts'
import { statusSql } from './database.ts'
import { storableText } from './storable.ts'

const defaultLimit = 50

/** The part of a statement that chooses receipts, and the values it refers to. */
export type Choice = { readonly condition: string; readonly limit: string; readonly values: readonly unknown[] }

/** A condition on `receipts` and `queue` in which every value is a parameter. Null if nothing can match. */
export function chooseReceipts(schema: string, environment: string, filter: ReceiptFilter): Choice | undefined {
  const ids = [filter.id, filter.beforeId, ...(filter.ids ?? [])].filter((id) => id !== undefined)
  if (!ids.every(isReceiptId)) return undefined
  const values: unknown[] = []
  const parameter = (value: unknown): string => `$${values.push(value)}`
  const conditions = [`receipts.environment = ${parameter(environment)}::text`]
  if (filter.id !== undefined) conditions.push(`receipts.id = ${parameter(filter.id)}::bigint`)
  if (filter.ids !== undefined) conditions.push(`receipts.id = any (${parameter(filter.ids)}::bigint[])`)
  if (filter.beforeId !== undefined) conditions.push(`receipts.id < ${parameter(filter.beforeId)}::bigint`)
  if (filter.source !== undefined) conditions.push(`receipts.source = ${parameter(filter.source)}::text`)
  if (filter.eventId !== undefined)
    conditions.push(`receipts.event_id = ${parameter(storableId(filter.eventId))}::text`)
  if (filter.type !== undefined) conditions.push(`receipts.type = ${parameter(storableText(filter.type))}::text`)
  if (filter.objectId !== undefined)
    conditions.push(`receipts.object_id = ${parameter(storableText(filter.objectId))}::text`)
  if (filter.receivedAfter !== undefined)
    conditions.push(`receipts.received_at > ${parameter(filter.receivedAfter.toISOString())}::timestamptz`)
  if (filter.receivedBefore !== undefined)
    conditions.push(`receipts.received_at < ${parameter(filter.receivedBefore.toISOString())}::timestamptz`)
  if (filter.isPending === true)
    conditions.push(`receipts.id in (select queue.receipt_id from ${schema}.queue where queue.environment = $1::text)`)
  if (filter.isPending === false) conditions.push('queue.receipt_id is null')
  if (filter.origin !== undefined)
    conditions.push(`coalesce(receipts.origin, 'webhook') = ${parameter(filter.origin)}::text`)
  if (filter.isHeld === true)
    conditions.push(`receipts.id in (select holds.receipt_id from ${schema}.holds where holds.released_at is null)`)
  if (filter.isHeld === false) conditions.push('receipts.held_at is null')
  const statuses = statusesOf(filter)
  if (statuses !== undefined) {
    // The first looks at the receipt alone, which spares a look into the queue for all that cannot match.
    conditions.push(`receipts.status = any (${parameter(storedStatuses(statuses))}::text[])`)
    conditions.push(`${statusSql} = any (${parameter(statuses)}::text[])`)
  }
  // For the planner: failed receipts have an index of their own.
  if (statuses?.length === 1 && statuses[0] === 'failed') conditions.push('receipts.failed_at is not null')
  const limit = `${parameter(Math.max(0, Math.floor(filter.limit ?? defaultLimit)))}::bigint`
  return { condition: conditions.join(' and '), limit, values }
}

export function statusesOf({ status }: ReceiptFilter): readonly ReceiptStatus[] | undefined {
  return typeof status === 'string' ? [status] : status
}

/** `processing` is not stored: it is a `received` or `retrying` one with a lease. */
function storedStatuses(statuses: readonly ReceiptStatus[]): readonly ReceiptStatus[] {
  return statuses.flatMap((status) => (status === 'processing' ? (['received', 'retrying'] as const) : [status]))
}

/** Anything else would be an error of the database, not a receipt that is not there. */
export function isReceiptId(text: string): boolean {
  return /^\d{1,18}$/.test(text)
}

function storableId(text: string): string {
  return text.replaceAll('\u0000', '\ufffd').toWellFormed()
}
