import type { ReceiptStatus } from '../../receipt/receipt.ts'
import { asBuffer, binaryArray } from './binary-arrays.ts'
import type { Database } from './database.ts'
import { type Candidate, type Column, columnsOf, eventLockOf, type InsertedRow } from './receipt-columns.ts'
import { keptKeysOf, unlessKeyKeptSql } from './retention/event-keys.ts'
import { madeOnce } from './schema-name.ts'
import type { CallValue } from './sql-client.ts'
import { hexadecimal } from './storable.ts'

/** What `record_one` takes, in this order. */
const types =
  'text text text text text text timestamptz uuid bytea text smallint text text int text bytea bigint text bytea text float8 text bigint'.split(
    ' ',
  )

/** The function is in the migrations. */
const recordSql = (schema: string, values: readonly string[]): string =>
  `select ${schema}.record_one(${values.join(', ')}) as lines`

const recordBytesSql = madeOnce((schema) =>
  recordSql(
    schema,
    types.map((type, index) => `$${index + 1}::${type}`),
  ),
)
/** Bytes come as hexadecimal digits from a library that cannot send them. */
const recordDigitsSql = madeOnce((schema) =>
  recordSql(
    schema,
    types.map((type, index) => (type === 'bytea' ? `decode($${index + 1}::text, 'hex')` : `$${index + 1}::${type}`)),
  ),
)

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
  const { schema, wakeChannel } = database
  const lock = locking === 'events' ? eventLockOf(schema, candidate.receipt) : null
  const values = [...valuesOf(candidate, schema), delay ?? null, wakeChannel ?? null, lock]
  const rows = await send(database, candidate, values)
  return rows.map((row) => ({ candidate, ...row }))
}

/** Bodies are not de-duplicated, so that the id of the stored one is that of the receipt. */
function valuesOf(candidate: Candidate, schema: string): readonly Value[] {
  const columns = columnsOf([candidate], schema)
  return columns.filter((_, index) => index !== columns.length - 3).map(([, [value = null]]) => value)
}

async function send(
  { query, call, schema, takesBinary }: Database,
  { receipt }: Candidate,
  values: readonly Value[],
): Promise<readonly Row[]> {
  const keptKeys = keptKeysOf([receipt])
  const recording = takesBinary ? recordBytesSql(schema) : recordDigitsSql(schema)
  const text = keptKeys.length === 0 ? recording : recording + unlessKeyKeptSql(schema, `$${types.length + 1}`)
  if (call !== undefined) {
    const sent = values.map(sentValue)
    if (keptKeys.length > 0) sent.push(binaryArray('uuid', keptKeys))
    return rowsOf((await call({ text, values: sent })).at(0)?.at(0))
  }
  const given = values.map((value) => {
    if (value instanceof Date) return value.toISOString()
    return value instanceof Uint8Array && !takesBinary ? hexadecimal(value) : value
  })
  const [answer] = await query<{ readonly lines: string }>(text, keptKeys.length === 0 ? given : [...given, keptKeys])
  return rowsOf(answer?.lines)
}

function sentValue(value: Value): CallValue {
  if (value === null || typeof value === 'string') return value
  if (value instanceof Date) return value.toISOString()
  return value instanceof Uint8Array ? asBuffer(value) : String(value)
}

/** One on each line. Where nothing was recorded because the key is all that is left of the event, there is no answer at all. */
function rowsOf(lines: string | null | undefined): readonly Row[] {
  if (lines === undefined || lines === null || lines === '') return []
  return lines.split('\n').map((line) => {
    const [outcome, receiptId, status, bodyHash = ''] = line.split(' ')
    return { outcome, receiptId, status, bodyHash } as Row
  })
}
