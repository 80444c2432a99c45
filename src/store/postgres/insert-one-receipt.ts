import type { ReceiptStatus } from '../../receipt/receipt.ts'
import type { Database } from './database.ts'
import { literal } from './literals.ts'
import { type Candidate, type Column, columnsOf, eventLockOf, type InsertedRow } from './receipt-columns.ts'
import { keptKeysOf, unlessKeyKeptSql } from './retention/event-keys.ts'
import { hexadecimal } from './storable.ts'

/** Larger bodies are not worth being spelled out as digits. */
const longestSpelledBytes = 16_384

/** What `record_receipt` takes, in this order. */
const types =
  'text text text text text text timestamptz uuid bytea text smallint text text int text bytea bigint text bytea text float8 text bigint'.split(
    ' ',
  )

/** The function is in the migrations. */
const recordSql = (schema: string, values: readonly string[]): string => `
  select out_outcome as outcome, out_receipt_id::text as "receiptId", out_status as status,
    encode(out_body_hash, 'hex') as "bodyHash"
  from ${schema}.record_receipt(${values.join(', ')})`

type Value = Column[1][number]

type Row = {
  readonly outcome: InsertedRow['outcome']
  readonly receiptId: string
  readonly status: ReceiptStatus
  readonly bodyHash: string
}

/** One receipt without arrays. Where a transaction is about to begin, it is sent with what begins it. */
export async function insertOne(
  database: Database,
  candidate: Candidate,
  { delay, locking }: { readonly delay: number | undefined; readonly locking: 'events' | 'nothing' },
): Promise<readonly InsertedRow[]> {
  const { schema, wakeChannel, ask } = database
  const lock = locking === 'events' ? eventLockOf(schema, candidate.receipt) : null
  const values = [...valuesOf(candidate, schema), delay ?? null, wakeChannel ?? null, lock]
  const isSpelled = ask !== undefined && isShort(candidate) && values.every(canBeSpelled)
  const rows = isSpelled
    ? await ask<Row>(spelledSql(schema, candidate, values))
    : await send(database, candidate, values)
  return rows.map((row) => ({ candidate, ...row }))
}

function isShort({ receipt }: Candidate): boolean {
  const { content, stored } = receipt.body
  return (stored?.content ?? content).length <= longestSpelledBytes
}

/** The database refuses this character, and a spelled text must not lose it: two ids would become one. */
function canBeSpelled(value: Value): boolean {
  return typeof value !== 'string' || !value.includes('\u0000')
}

/** The body comes once, without the id that it has among several. */
function valuesOf(candidate: Candidate, schema: string): readonly Value[] {
  const columns = columnsOf([candidate], schema)
  return columns.filter((_, index) => index !== columns.length - 3).map(([, [value = null]]) => value)
}

function spelledSql(schema: string, { receipt }: Candidate, values: readonly Value[]): string {
  const spelled = values.map((value, index) => {
    if (value instanceof Uint8Array) return `decode('${hexadecimal(value)}', 'hex')`
    return `${literal(value instanceof Date ? value.toISOString() : value)}::${types[index]}`
  })
  const [key] = keptKeysOf([receipt])
  return recordSql(schema, spelled) + (key === undefined ? '' : unlessKeyKeptSql(schema, `array[${literal(key)}]`))
}

function send(
  { query, schema, takesBinary }: Database,
  { receipt }: Candidate,
  values: readonly Value[],
): Promise<readonly Row[]> {
  const places = types.map((type, index) => {
    const place = `$${index + 1}`
    return type === 'bytea' && !takesBinary ? `decode(${place}::text, 'hex')` : `${place}::${type}`
  })
  const keptKeys = keptKeysOf([receipt])
  const condition = keptKeys.length === 0 ? '' : unlessKeyKeptSql(schema, `$${types.length + 1}`)
  const sent = values.map((value) => {
    if (value instanceof Date) return value.toISOString()
    return value instanceof Uint8Array && !takesBinary ? hexadecimal(value) : value
  })
  return query<Row>(recordSql(schema, places) + condition, keptKeys.length === 0 ? sent : [...sent, keptKeys])
}
