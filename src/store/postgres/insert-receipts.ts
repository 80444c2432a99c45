import type { NewReceipt, ReceiptStatus } from '../../receipt/receipt.ts'
import { binaryArray } from './binary-arrays.ts'
import { type Database, statusSql } from './database.ts'
import { lockNumber } from './schema-name.ts'
import { hexadecimal, optionalText, storableOrderKey, storableText, storableTime } from './storable.ts'

/** A receipt that is about to be inserted. One that is known to repeat another's body leaves the key of the body to that one. */
export type Candidate = { readonly receipt: NewReceipt; readonly repeatsEventId?: string }

/**
 * What became of a candidate, by its place in the list. `known`: a receipt with its id was there before. `busy`: another transaction is
 * recording its signed body. Of what was recorded in the same moment, by id or by body, there is no row.
 */
export type InsertedRow = { readonly number: number } & (
  | { readonly outcome: 'inserted'; readonly receiptId: string }
  | {
      readonly outcome: 'known'
      readonly receiptId: string
      readonly status: ReceiptStatus
      readonly bodyHash: string
    }
  | { readonly outcome: 'busy' }
)

/** Bodies whose keys one statement locks. PostgreSQL has room for 64 locks in each transaction, unless it is told otherwise. */
const mostBodyLocks = 32

/** One statement for all of them, or several for more signed bodies than it may lock. */
export async function insertReceipts(
  database: Database,
  candidates: readonly Candidate[],
): Promise<readonly InsertedRow[]> {
  if (candidates.every(({ receipt }) => receipt.signedBody === undefined)) return insertUnchecked(database, candidates)
  const numbers = candidates.map((_, number) => number)
  const locking = numbers.filter((number) => keyOfBody(candidates[number]) !== undefined)
  if (locking.length <= mostBodyLocks) return insertChecked(database, candidates)
  const others = numbers.filter((number) => keyOfBody(candidates[number]) === undefined)
  const rows: InsertedRow[] = []
  for (let from = 0; from < locking.length; from += mostBodyLocks) {
    const part = [...(from === 0 ? others : []), ...locking.slice(from, from + mostBodyLocks)]
    const inserted = await insertChecked(
      database,
      part.flatMap((number) => candidates[number] ?? []),
    )
    rows.push(...inserted.map((row) => ({ ...row, number: part[row.number] ?? row.number })))
  }
  return rows
}

/** The key that the receipt is to have, in hex. */
function keyOfBody(candidate: Candidate | undefined): string | undefined {
  if (candidate === undefined || candidate.repeatsEventId !== undefined) return undefined
  const { signedBody } = candidate.receipt
  return signedBody === undefined ? undefined : hexadecimal(signedBody.key)
}

export function initialStatus({ disposition, adopted }: NewReceipt): Exclude<ReceiptStatus, 'processing'> {
  switch (disposition) {
    case 'queued':
      // Deferred before it ever counted as an attempt.
      return (adopted?.attempts ?? 0) === 0 ? 'received' : 'retrying'
    case 'inline':
      return 'received'
    case 'ignored':
      return 'ignored'
    case 'failed':
      return 'failed'
  }
}

const givenColumns = `environment, source, event_id, type, delivery_id, object_id, occurred_at, body_id, body_hash, part,
      secret_index, order_key, status, attempts, error, is_queued, delay_seconds`

const givenValues = (bytes: string): string => `
      $1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::uuid[], $9::${bytes}[],
      $10::text[], $11::smallint[], $12::text[], $13::text[], $14::int[], $15::text[], $16::boolean[], $17::float8[]`

/** How bytes are sent: as they are, or as hexadecimal digits to a library that cannot. */
type Bytes = { readonly type: 'bytea' | 'text'; readonly read: (column: string) => string }

const binaryBytes: Bytes = { type: 'bytea', read: (column) => column }
const hexBytes: Bytes = { type: 'text', read: (column) => `decode(${column}, 'hex')` }

type Statement = Pick<Database, 'schema' | 'wakeChannel'> & { readonly bytes: Bytes }

/** Sources whose ids are signed: their bodies have no keys. */
const uncheckedSql = (statement: Statement): string => `
  with given as (
    select ${givenColumns}, number
    from unnest(${givenValues(statement.bytes.type)}) with ordinality as given (${givenColumns}, number)
  ), ${recordSql(statement, { from: 'given', conflict: '(environment, source, event_id)', more: '' })}
  ${insertedSql(statement)}
  union all
  ${knownSql(statement)}`

/**
 * The same with keys of signed bodies. A body that another transaction is recording is not free; nobody waits for that one, which may be
 * running a handler. And as nobody waits for a body, the order of the ids is enough to keep out circles.
 */
const checkedSql = (statement: Statement): string => `
  with given as (
    select ${givenColumns}, decode(signed_key, 'hex') as signed_key, body_lock, repeats_event_id, number
    from unnest(${givenValues(statement.bytes.type)}, $21::text[], $22::bigint[], $23::text[]) with ordinality
      as given (${givenColumns}, signed_key, body_lock, repeats_event_id, number)
  ), tried as materialized (
    select ${givenColumns}, signed_key, repeats_event_id, number,
      coalesce(pg_try_advisory_xact_lock(body_lock), true) as is_free
    from given
  ), free as (
    select ${givenColumns}, signed_key, repeats_event_id from tried where is_free
  ), ${recordSql(statement, { from: 'free', conflict: '', more: ', signed_key, repeats_event_id' })}
  ${insertedSql(statement)}
  union all
  ${knownSql(statement)}
  union all
  select (number - 1)::int, 'busy', null, null, null, null from tried where not is_free`

/**
 * What is queued is told to the workers of other processes by the commit itself, so that no event is ever there without them knowing.
 * Such commits wait for each other; but a process has only one under way, for all that came meanwhile.
 */
const insertedSql = ({ wakeChannel }: Statement): string => `
  select (given.number - 1)::int as number, 'inserted' as outcome, recorded.id::text as "receiptId", null as status,
    null as "bodyHash",
    ${wakeChannel === undefined ? 'null' : `case when given.is_queued then (select pg_notify('${wakeChannel}', '')::text) end`} as told
  from recorded join given using (environment, source, event_id, body_id)`

/** What this statement has inserted is not visible to it: whatever is found was there before. */
const knownSql = ({ schema }: Statement): string => `
  select (given.number - 1)::int, 'known', receipts.id::text, ${statusSql}, encode(receipts.body_hash, 'hex'), null
  from given join ${schema}.receipts using (environment, source, event_id)
  left join ${schema}.queue on queue.receipt_id = receipts.id`

/**
 * One statement for everything, so that a receipt never stands without its body or its queue row.
 * The ids are sorted: two batches that share some never wait for each other in a circle.
 */
function recordSql(
  { schema, bytes }: Statement,
  { from, conflict, more }: { readonly from: string; readonly conflict: string; readonly more: string },
): string {
  return `recorded as (
    insert into ${schema}.receipts (
      environment, source, event_id, type, delivery_id, object_id, occurred_at, body_id, body_hash, part,
      secret_index, order_key, status, attempts, last_error, failed_at${more}
    )
    select environment, source, event_id, type, delivery_id, object_id, occurred_at, body_id, ${bytes.read('body_hash')}, part,
      secret_index, order_key, status, attempts, error, case when status = 'failed' then clock_timestamp() end${more}
    from ${from}
    order by environment, source, event_id
    on conflict ${conflict} do nothing
    returning id, environment, source, event_id, body_id
  ), stored as (
    insert into ${schema}.bodies (id, stored_on, content, headers)
    select body.id, (now() at time zone 'UTC')::date, ${bytes.read('body.content')}, body.headers
    from unnest($18::uuid[], $19::${bytes.type}[], $20::text[]) as body (id, content, headers)
    where body.id in (select recorded.body_id from recorded)
    on conflict (stored_on, id) do nothing
  ), queued as (
    insert into ${schema}.queue (receipt_id, environment, source, due_at, attempts, order_key)
    select recorded.id, given.environment, given.source,
      clock_timestamp() + make_interval(secs => given.delay_seconds), given.attempts, given.order_key
    from recorded join given using (environment, source, event_id, body_id)
    where given.is_queued
  )`
}

async function insertUnchecked(database: Database, candidates: readonly Candidate[]): Promise<readonly InsertedRow[]> {
  return database.query<InsertedRow>(uncheckedSql(statementOf(database)), valuesOf(database, candidates))
}

async function insertChecked(database: Database, candidates: readonly Candidate[]): Promise<readonly InsertedRow[]> {
  const keys = candidates.map(keyOfBody)
  return database.query<InsertedRow>(checkedSql(statementOf(database)), [
    ...valuesOf(database, candidates),
    keys.map((key) => key ?? null),
    keys.map((key) => (key === undefined ? null : lockNumber(['oncehook body', database.schema, key]))),
    candidates.map(({ repeatsEventId }) => repeatsEventId ?? null),
  ])
}

function statementOf({ schema, wakeChannel, takesBinary }: Database): Statement {
  return { schema, wakeChannel, bytes: takesBinary ? binaryBytes : hexBytes }
}

function valuesOf({ takesBinary }: Database, candidates: readonly Candidate[]): readonly unknown[] {
  const receipts = candidates.map(({ receipt }) => receipt)
  const bodies = [...new Map(receipts.map(({ body }) => [body.id, body])).values()]
  const texts = (list: readonly (string | null)[]): unknown => (takesBinary ? binaryArray('text', list) : list)
  const bytes = (list: readonly Uint8Array[]): unknown =>
    takesBinary ? binaryArray('bytea', list) : list.map(hexadecimal)
  return [
    texts(receipts.map(({ environment }) => environment)),
    texts(receipts.map(({ source }) => source)),
    texts(receipts.map(({ eventId }) => eventId)),
    texts(receipts.map(({ event }) => storableText(event.type))),
    texts(receipts.map(({ event }) => optionalText(event.deliveryId))),
    texts(receipts.map(({ event }) => optionalText(event.objectId))),
    receipts.map(({ event }) => storableTime(event.occurredAt)),
    receipts.map(({ body }) => body.id),
    bytes(receipts.map(({ body }) => body.hash)),
    texts(receipts.map(({ event }) => event.part?.replaceAll('\u0000', '\ufffd').toWellFormed() ?? null)),
    receipts.map(({ secretIndex }) => secretIndex ?? null),
    texts(receipts.map(({ orderKey }) => storableOrderKey(orderKey))),
    texts(receipts.map(initialStatus)),
    receipts.map(({ adopted }) => adopted?.attempts ?? 0),
    texts(receipts.map(({ adopted }) => adopted?.error ?? null)),
    receipts.map(({ disposition }) => disposition === 'queued'),
    receipts.map(({ adopted }) => adopted?.delaySeconds ?? 0),
    bodies.map(({ id }) => id),
    bytes(bodies.map(({ content }) => content)),
    // JSON text keeps any header as it came: what a text column refuses is escaped in it.
    texts(bodies.map(({ headers }) => JSON.stringify(headers))),
  ]
}
