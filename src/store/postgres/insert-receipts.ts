import type { NewReceipt, ReceiptStatus } from '../../receipt/receipt.ts'
import { binaryArray, type Elements } from './binary-arrays.ts'
import type { Database } from './database.ts'
import { areAlike, insertAlike } from './insert-alike-receipts.ts'
import { insertOne } from './insert-one-receipt.ts'
import { type Candidate, type Column, columnsOf, eventLockOf, type InsertedRow, keyOfBody } from './receipt-columns.ts'
import { keptKeysOf, unlessKeyKeptSql } from './retention/event-keys.ts'
import { madeOnce } from './schema-name.ts'
import type { CallValue, TextRow } from './sql-client.ts'
import { hexadecimal } from './storable.ts'

/** Bodies whose keys one statement locks. PostgreSQL has room for 64 locks in each transaction, unless it is told otherwise. */
const mostBodyLocks = 32

/**
 * One statement for all of them, or several for what is due at different times, or has more signed bodies than one may lock.
 * The lock of an event is held until the transaction ends, by whoever runs it.
 */
export async function insertReceipts(
  database: Database,
  candidates: readonly Candidate[],
  locking: 'events' | 'nothing' = 'nothing',
): Promise<readonly InsertedRow[]> {
  const [first] = candidates
  if (first === undefined) return []
  const delay = delayOf(first.receipt)
  const together = candidates.filter(({ receipt }) => delayOf(receipt) === delay)
  if (together.length < candidates.length) {
    const others = candidates.filter(({ receipt }) => delayOf(receipt) !== delay)
    return [
      ...(await insertReceipts(database, together, locking)),
      ...(await insertReceipts(database, others, locking)),
    ]
  }
  if (candidates.length === 1) return insertOne(database, first, { delay, locking })
  const { call, schema, wakeChannel } = database
  if (call !== undefined && locking === 'nothing' && areAlike(candidates)) {
    return insertAlike({ call, schema, wakeChannel }, candidates)
  }
  const keyed = candidates.filter((candidate) => keyOfBody(candidate) !== undefined)
  if (keyed.length <= mostBodyLocks) return insertTogether(database, candidates, { delay, locking })
  const rows: InsertedRow[] = []
  let part = candidates.filter((candidate) => keyOfBody(candidate) === undefined)
  for (let from = 0; from < keyed.length; from += mostBodyLocks) {
    rows.push(
      ...(await insertTogether(database, [...part, ...keyed.slice(from, from + mostBodyLocks)], {
        delay,
        locking,
      })),
    )
    part = []
  }
  return rows
}

/** In how many seconds a worker may take it; undefined if none is to. */
function delayOf({ disposition, adopted }: NewReceipt): number | undefined {
  return disposition === 'inline' ? undefined : (adopted?.delaySeconds ?? 0)
}

/** The function is in the migrations. Bytes come as they are, or as hexadecimal digits from a library that cannot send them. */
const recordSql = (schema: string, bytes: (parameter: string) => string): string => `
  select out_outcome as outcome, out_event_id as "eventId", out_body_id::text as "bodyId", out_receipt_id::text as "receiptId",
    out_status as status, encode(out_body_hash, 'hex') as "bodyHash"
  from ${schema}.record_receipts(
    $1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::uuid[], ${bytes('$9')},
    $10::text[], $11::smallint[], $12::text[], $13::text[], $14::int[], $15::text[], ${bytes('$16')}, $17::bigint[], $18::text[],
    $19::uuid[], ${bytes('$20')}, $21::text[], $22::float8, $23::text, $24::bigint[])`

const recordBytesSql = madeOnce((schema) => recordSql(schema, (parameter) => `${parameter}::bytea[]`))
const recordDigitsSql = madeOnce((schema) =>
  recordSql(
    schema,
    (parameter) =>
      `(select array_agg(decode(digits, 'hex') order by number) from unnest(${parameter}::text[]) with ordinality as given (digits, number))`,
  ),
)

type RecordedRow = {
  readonly outcome: InsertedRow['outcome']
  readonly eventId: string
  readonly bodyId: string
  readonly receiptId: string
  readonly status: ReceiptStatus
  readonly bodyHash: string
}

async function insertTogether(
  database: Database,
  candidates: readonly Candidate[],
  { delay, locking }: { readonly delay: number | undefined; readonly locking: 'events' | 'nothing' },
): Promise<readonly InsertedRow[]> {
  const { schema, wakeChannel, takesBinary } = database
  const keptKeys = keptKeysOf(candidates.map(({ receipt }) => receipt))
  const recording = takesBinary ? recordBytesSql(schema) : recordDigitsSql(schema)
  const sql = keptKeys.length === 0 ? recording : recording + unlessKeyKeptSql(schema, '$25')
  const columns = columnsOf(candidates, schema)
  const locks = locking === 'events' ? candidates.map(({ receipt }) => eventLockOf(schema, receipt)) : null
  const rows = await send(database, sql, { columns, delay, wakeChannel, locks, keptKeys })
  const byBody = new Map<string, Candidate[]>()
  for (const candidate of candidates) {
    const { id } = candidate.receipt.body
    const others = byBody.get(id)
    if (others === undefined) byBody.set(id, [candidate])
    else others.push(candidate)
  }
  return rows.map(({ eventId, bodyId, outcome, receiptId, status, bodyHash }) => {
    // A body belongs to one source, so that with the event's id it is enough.
    const candidate = byBody.get(bodyId)?.find(({ receipt }) => receipt.eventId === eventId)
    if (candidate === undefined) throw new Error('The database answered for a receipt that it was not given.')
    return { candidate, outcome, receiptId, status, bodyHash }
  })
}

type Recording = {
  readonly columns: readonly Column[]
  readonly delay: number | undefined
  readonly wakeChannel: string | undefined
  readonly locks: readonly string[] | null
  readonly keptKeys: readonly string[]
}

async function send(
  { query, call, takesBinary }: Database,
  text: string,
  { columns, delay, wakeChannel, locks, keptKeys }: Recording,
): Promise<readonly RecordedRow[]> {
  if (call === undefined) {
    const arrays = columns.map((column) => parameterOf(column, takesBinary))
    const more = keptKeys.length === 0 ? [] : [keptKeys]
    return query<RecordedRow>(text, [...arrays, delay ?? null, wakeChannel ?? null, locks, ...more])
  }
  const values: CallValue[] = columns.map((column) => (isEmpty(column) ? null : encoded(column)))
  values.push(delay === undefined ? null : String(delay), wakeChannel ?? null, locks && binaryArray('int8', locks))
  if (keptKeys.length > 0) values.push(binaryArray('uuid', keptKeys))
  return (await call({ text, values })).map(rowOf)
}

/** In the order of the columns. */
function rowOf([outcome, eventId, bodyId, receiptId, status, bodyHash]: TextRow): RecordedRow {
  return { outcome, eventId, bodyId, receiptId, status, bodyHash } as RecordedRow
}

/** A column without a value is not sent: it is as empty without. */
function parameterOf(column: Column, takesBinary: boolean): unknown {
  if (isEmpty(column)) return null
  if (takesBinary) return encoded(column)
  if (column[0] === 'bytea') return column[1].map((bytes) => bytes && hexadecimal(bytes))
  return column[0] === 'timestamptz' ? column[1].map((time) => time && time.toISOString()) : column[1]
}

function isEmpty([, elements]: Column): boolean {
  for (const element of elements) if (element !== null) return false
  return true
}

/** One case for each type, so that the elements are known to be of it. */
function encoded<Type extends keyof Elements>([type, elements]: readonly [
  Type,
  readonly (Elements[Type] | null)[],
]): Buffer {
  return binaryArray(type, elements)
}
