import { asBuffer, binaryArray } from './binary-arrays.ts'
import type { Database } from './database.ts'
import { type Candidate, eventLockOf, type InsertedRow, type Value, valuesOf } from './receipt-columns.ts'
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

/** One receipt without arrays. Where a transaction is about to begin, it is sent with what begins it. */
export async function insertOne(
  database: Database,
  candidate: Candidate,
  { delay, locking }: { readonly delay: number | undefined; readonly locking: 'events' | 'nothing' },
): Promise<readonly InsertedRow[]> {
  const { schema, wakeChannel } = database
  const lock = locking === 'events' ? eventLockOf(schema, candidate.receipt) : null
  const values = valuesOf(candidate, schema)
  values.push(delay ?? null, wakeChannel ?? null, lock)
  return rowsOf(await send(database, candidate, values), candidate)
}

async function send(
  { query, call, schema, takesBinary }: Database,
  { receipt }: Candidate,
  values: readonly Value[],
): Promise<string | null | undefined> {
  const keptKeys = keptKeysOf([receipt])
  const recording = takesBinary ? recordBytesSql(schema) : recordDigitsSql(schema)
  const text = keptKeys.length === 0 ? recording : recording + unlessKeyKeptSql(schema, `$${types.length + 1}`)
  if (call !== undefined) {
    const sent = values.map(sentValue)
    if (keptKeys.length > 0) sent.push(binaryArray('uuid', keptKeys))
    return (await call({ text, values: sent })).at(0)?.at(0)
  }
  const given = values.map((value) => {
    if (value instanceof Date) return value.toISOString()
    return value instanceof Uint8Array && !takesBinary ? hexadecimal(value) : value
  })
  const [answer] = await query<{ readonly lines: string }>(text, keptKeys.length === 0 ? given : [...given, keptKeys])
  return answer?.lines
}

function sentValue(value: Value): CallValue {
  if (value === null || typeof value === 'string') return value
  if (value instanceof Date) return value.toISOString()
  return value instanceof Uint8Array ? asBuffer(value) : String(value)
}

const insertedWord = 'inserted '

/** One on each line. Where nothing was recorded because the key is all that is left of the event, there is no answer at all. */
function rowsOf(lines: string | null | undefined, candidate: Candidate): readonly InsertedRow[] {
  if (lines === undefined || lines === null || lines === '') return []
  // Nearly always, and then there is nothing else.
  if (lines.startsWith(insertedWord)) {
    return [{ candidate, outcome: 'inserted', receiptId: lines.slice(insertedWord.length) }]
  }
  return lines.split('\n').map((line) => {
    const [outcome, receiptId, status, bodyHash = ''] = line.split(' ')
    return { candidate, outcome, receiptId, status, bodyHash } as InsertedRow
  })
}
