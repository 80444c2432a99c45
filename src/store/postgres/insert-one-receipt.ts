import { asBuffer, binaryArray } from './binary-arrays.ts'
import type { Database } from './database.ts'
import {
  type Candidate,
  eventLockOf,
  type InsertedRow,
  isPlain,
  plainValuesOf,
  type Value,
  valuesOf,
} from './receipt-columns.ts'
import { keptKeysOf, unlessKeyKeptSql } from './retention/event-keys.ts'
import { madeOnce } from './schema-name.ts'
import type { CallValue } from './sql-client.ts'
import { hexadecimal } from './storable.ts'

/** A function of the migrations, and the types of what it takes, in this order. */
type Recording = {
  readonly types: readonly string[]
  readonly bytesSql: (schema: string) => string
  /** Bytes come as hexadecimal digits from a library that cannot send them. */
  readonly digitsSql: (schema: string) => string
}

function recordingBy(name: string, typeList: string): Recording {
  const types = typeList.split(' ')
  const recordSql = (schema: string, bytes: (parameter: string) => string): string => {
    const values = types.map((type, index) => (type === 'bytea' ? bytes(`$${index + 1}`) : `$${index + 1}::${type}`))
    return `select ${schema}.${name}(${values.join(', ')}) as lines`
  }
  return {
    types,
    bytesSql: madeOnce((schema) => recordSql(schema, (parameter) => `${parameter}::bytea`)),
    digitsSql: madeOnce((schema) => recordSql(schema, (parameter) => `decode(${parameter}::text, 'hex')`)),
  }
}

const anyRecording = recordingBy(
  'record_one',
  'text text text text text text timestamptz uuid bytea text smallint text text int text bytea bigint text bytea text float8 text bigint',
)
const plainRecording = recordingBy(
  'record_plain',
  'text text text text text text timestamptz uuid bytea smallint text bytea text text bigint',
)

/** One receipt without arrays. Where a transaction is about to begin, it is sent with what begins it. */
export async function insertOne(
  database: Database,
  candidate: Candidate,
  { delay, locking }: { readonly delay: number | undefined; readonly locking: 'events' | 'nothing' },
): Promise<readonly InsertedRow[]> {
  const { schema, wakeChannel } = database
  const lock = locking === 'events' ? eventLockOf(schema, candidate.receipt) : null
  if (isPlain(candidate)) {
    const values = plainValuesOf(candidate)
    values.push(wakeChannel ?? null, lock)
    return rowsOf(await send(database, plainRecording, { values, keptKeys: [] }), candidate)
  }
  const values = valuesOf(candidate, schema)
  values.push(delay ?? null, wakeChannel ?? null, lock)
  const keptKeys = keptKeysOf([candidate.receipt])
  return rowsOf(await send(database, anyRecording, { values, keptKeys }), candidate)
}

async function send(
  { query, call, schema, takesBinary }: Database,
  { types, bytesSql, digitsSql }: Recording,
  { values, keptKeys }: { readonly values: readonly Value[]; readonly keptKeys: readonly string[] },
): Promise<string | null | undefined> {
  const recording = takesBinary ? bytesSql(schema) : digitsSql(schema)
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
