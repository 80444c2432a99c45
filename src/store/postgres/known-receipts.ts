import type { NewReceipt, ReceiptStatus } from '../../receipt/receipt.ts'
import { type Database, statusSql } from './database.ts'
import { hexadecimal } from './storable.ts'

/** A receipt that was there already. */
export type KnownReceipt = {
  readonly receiptId: string
  readonly environment: string
  readonly source: string
  readonly eventId: string
  readonly status: ReceiptStatus
  readonly bodyHash: string
}

const knownColumnsSql = `
  receipts.id::text as "receiptId", receipts.environment, receipts.source, receipts.event_id as "eventId",
  ${statusSql} as status, encode(receipts.body_hash, 'hex') as "bodyHash"`

const knownByIdSql = (schema: string): string => `
  select ${knownColumnsSql}
  from unnest($1::text[], $2::text[], $3::text[]) as given (environment, source, event_id)
  join ${schema}.receipts using (environment, source, event_id)
  left join ${schema}.queue on queue.receipt_id = receipts.id`

/** The receipts that have the ids of these. */
export async function readKnownById(
  { query, schema }: Database,
  receipts: readonly NewReceipt[],
): Promise<readonly KnownReceipt[]> {
  if (receipts.length === 0) return []
  return query<KnownReceipt>(knownByIdSql(schema), [
    receipts.map(({ environment }) => environment),
    receipts.map(({ source }) => source),
    receipts.map(({ eventId }) => eventId),
  ])
}

const knownByBodySql = (schema: string): string => `
  select ${knownColumnsSql}, encode(receipts.signed_key, 'hex') as "signedKey"
  from ${schema}.receipts
  left join ${schema}.queue on queue.receipt_id = receipts.id
  where receipts.signed_key in (select decode(key, 'hex') from unnest($1::text[]) as given (key))`

/** The receipts that had the signed bodies of these first, by the body's key in hex. */
export async function readKnownByBody(
  { query, schema }: Database,
  receipts: readonly NewReceipt[],
): Promise<ReadonlyMap<string, KnownReceipt>> {
  const keys = new Set(
    receipts.flatMap(({ signedBody }) => (signedBody === undefined ? [] : [hexadecimal(signedBody.key)])),
  )
  if (keys.size === 0) return new Map()
  const rows = await query<KnownReceipt & { readonly signedKey: string }>(knownByBodySql(schema), [[...keys]])
  return new Map(rows.map((row) => [row.signedKey, row]))
}
