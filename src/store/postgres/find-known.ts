import type { EventKey, ReceiptStatus } from '../../receipt/receipt.ts'
import { binaryArray } from './binary-arrays.ts'
import type { Database } from './database.ts'
import { madeOnce } from './schema-name.ts'

/** A receipt that is committed. */
export type FoundReceipt = {
  readonly receiptId: string
  readonly status: ReceiptStatus
  readonly bodyHash: string
}

/** The function is in the migrations. */
const knownEventsSql = madeOnce(
  (schema) => `select ${schema}.known_events($1::text[], $2::text[], $3::text[]) as lines`,
)

/** The receipts that have these keys, by the place in the list. Nothing but the keys is sent. */
export async function findKnown(
  { query, call, schema }: Database,
  keys: readonly EventKey[],
): Promise<ReadonlyMap<number, FoundReceipt>> {
  const text = knownEventsSql(schema)
  const columns = [
    keys.map(({ environment }) => environment),
    keys.map(({ source }) => source),
    keys.map(({ eventId }) => eventId),
  ]
  if (call === undefined) {
    const [answer] = await query<{ readonly lines: string | null }>(text, columns)
    return foundIn(answer?.lines)
  }
  const values = columns.map((column) => binaryArray('text', column))
  return foundIn((await call({ text, values })).at(0)?.at(0))
}

/** By the place in the list: a line for each, as `known_events` writes them. */
export function foundIn(lines: string | null | undefined): ReadonlyMap<number, FoundReceipt> {
  const found = new Map<number, FoundReceipt>()
  if (lines === undefined || lines === null) return found
  for (const line of lines.split('\n')) {
    const [place, receiptId, status, bodyHash = ''] = line.split(' ')
    // Ordinal numbers begin with one.
    found.set(Number(place) - 1, { receiptId, status, bodyHash } as FoundReceipt)
  }
  return found
}
