import { invalidOptions } from '../../../errors.ts'
import type { ReceiptFilter } from '../../../receipt/receipt.ts'
import type { HoldNote } from '../../retention-store.ts'
import type { Database } from '../database.ts'
import { type Choice, chooseReceipts } from '../receipt-filter.ts'

/** The row itself is changed, so that whoever is about to remove it sees that it must not. */
const holdSql = (schema: string, { condition, limit, values }: Choice): string => `
  with chosen as (
    select receipts.id from ${schema}.receipts
    left join ${schema}.queue on queue.receipt_id = receipts.id
    where ${condition} and receipts.held_at is null
    order by receipts.id desc
    limit ${limit}
    for update of receipts
  ), held as (
    update ${schema}.receipts set held_at = clock_timestamp() from chosen where receipts.id = chosen.id
    returning receipts.id
  ), noted as (
    insert into ${schema}.holds (receipt_id, "by", why)
    select id, $${values.length + 1}::text, $${values.length + 2}::text from held
  )
  select id::text as "receiptId" from held order by id`

const releaseSql = (schema: string, { condition, limit, values }: Choice): string => `
  with chosen as (
    select receipts.id from ${schema}.receipts
    left join ${schema}.queue on queue.receipt_id = receipts.id
    where ${condition} and receipts.held_at is not null
    order by receipts.id desc
    limit ${limit}
    for update of receipts
  ), released as (
    update ${schema}.receipts set held_at = null from chosen where receipts.id = chosen.id
    returning receipts.id
  ), noted as (
    update ${schema}.holds
    set released_by = $${values.length + 1}::text, released_why = $${values.length + 2}::text, released_at = clock_timestamp()
    from released
    where holds.receipt_id = released.id and holds.released_at is null
  )
  select id::text as "receiptId" from released order by id`

type HoldRequest = { readonly environment: string; readonly filter: ReceiptFilter; readonly note: HoldNote }

export function hold(database: Database, request: HoldRequest): Promise<readonly string[]> {
  return change(database, request, { subject: 'The hold', statement: holdSql })
}

export function release(database: Database, request: HoldRequest): Promise<readonly string[]> {
  return change(database, request, { subject: 'The release', statement: releaseSql })
}

async function change(
  { query, schema }: Database,
  { environment, filter, note }: HoldRequest,
  { subject, statement }: { readonly subject: string; readonly statement: typeof holdSql },
): Promise<readonly string[]> {
  const mistakes = [
    ...(note.by.trim() === '' ? ['by is empty; say who asks for it.'] : []),
    ...(note.why.trim() === '' ? ['why is empty; say the reason, it is kept with the receipt.'] : []),
  ]
  if (mistakes.length > 0) throw invalidOptions(subject, mistakes)
  // Who names no limit means all of them.
  const choice = chooseReceipts(schema, environment, { limit: Number.MAX_SAFE_INTEGER, ...filter })
  if (choice === undefined) return []
  const rows = await query<{ readonly receiptId: string }>(statement(schema, choice), [
    ...choice.values,
    note.by,
    note.why,
  ])
  return rows.map(({ receiptId }) => receiptId)
}
