import type { NewReceipt, ReceiptStatus } from '../../receipt/receipt.ts'
import type { Database } from './database.ts'
import { lockNumber } from './schema-name.ts'
import { hexadecimal, optionalText, storableOrderKey, storableText, storableTime } from './storable.ts'

/** A receipt that is about to be inserted. One that is known to repeat another's body leaves the key of the body to that one. */
export type Candidate = { readonly receipt: NewReceipt; readonly repeatsEventId?: string }

/** A receipt that was inserted, or with no id one whose signed body another transaction is recording. What was there already has no row. */
export type InsertedRow = {
  readonly receiptId: string | null
  readonly environment: string
  readonly source: string
  readonly eventId: string
  readonly bodyId: string
}

/** Bodies whose keys one statement locks. PostgreSQL has room for 64 locks in each transaction, unless it is told otherwise. */
const mostBodyLocks = 32

/** One statement for all of them, or several for more signed bodies than it may lock. */
export async function insertReceipts(
  database: Database,
  candidates: readonly Candidate[],
): Promise<readonly InsertedRow[]> {
  if (candidates.every(({ receipt }) => receipt.signedBody === undefined)) return insertUnchecked(database, candidates)
  const locking = candidates.filter((candidate) => keyOfBody(candidate) !== undefined)
  if (locking.length <= mostBodyLocks) return insertChecked(database, candidates)
  const others = candidates.filter((candidate) => keyOfBody(candidate) === undefined)
  const rows: InsertedRow[] = []
  for (let from = 0; from < locking.length; from += mostBodyLocks) {
    const part = locking.slice(from, from + mostBodyLocks)
    rows.push(...(await insertChecked(database, from === 0 ? [...others, ...part] : part)))
  }
  return rows
}

/** The key that the receipt is to have, in hex. */
function keyOfBody({ receipt, repeatsEventId }: Candidate): string | undefined {
  const { signedBody } = receipt
  return signedBody === undefined || repeatsEventId !== undefined ? undefined : hexadecimal(signedBody.key)
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

const givenValues = `
      $1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::uuid[], $9::text[],
      $10::text[], $11::smallint[], $12::text[], $13::text[], $14::int[], $15::text[], $16::boolean[], $17::float8[]`

/** Sources whose ids are signed: their bodies have no keys. */
const uncheckedSql = (schema: string): string => `
  with given as (
    select ${givenColumns}
    from unnest(${givenValues}) as given (${givenColumns})
  ), ${recordSql(schema, { from: 'given', conflict: '(environment, source, event_id)', more: '' })}
  select ${insertedSql} from recorded`

/**
 * The same with keys of signed bodies. `known`: a receipt has the body. `busy`: another transaction is recording it; nobody waits for that
 * one, which may be running a handler. And as nobody waits for a body, the order of the ids is enough to keep out circles.
 */
const checkedSql = (schema: string): string => `
  with given as (
    select ${givenColumns}, decode(signed_key, 'hex') as signed_key, body_lock, repeats_event_id
    from unnest(${givenValues}, $21::text[], $22::bigint[], $23::text[])
      as given (${givenColumns}, signed_key, body_lock, repeats_event_id)
  ), judged as materialized (
    select ${givenColumns}, signed_key, repeats_event_id,
      case
        when signed_key is null then 'free'
        when exists (select from ${schema}.receipts where receipts.signed_key = given.signed_key) then 'known'
        when pg_try_advisory_xact_lock(body_lock) then 'free'
        else 'busy'
      end as body
    from given
  ), free as (
    select ${givenColumns}, signed_key, repeats_event_id from judged where body = 'free'
  ), ${recordSql(schema, { from: 'free', conflict: '', more: ', signed_key, repeats_event_id' })}
  select ${insertedSql} from recorded
  union all
  select null, environment, source, event_id, body_id::text from judged where body = 'busy'`

const insertedSql = `id::text as "receiptId", environment, source, event_id as "eventId", body_id::text as "bodyId"`

/**
 * One statement for everything, so that a receipt never stands without its body or its queue row.
 * The ids are sorted: two batches that share some never wait for each other in a circle.
 */
function recordSql(
  schema: string,
  { from, conflict, more }: { readonly from: string; readonly conflict: string; readonly more: string },
): string {
  return `recorded as (
    insert into ${schema}.receipts (
      environment, source, event_id, type, delivery_id, object_id, occurred_at, body_id, body_hash, part,
      secret_index, order_key, status, attempts, last_error, failed_at${more}
    )
    select environment, source, event_id, type, delivery_id, object_id, occurred_at, body_id, decode(body_hash, 'hex'), part,
      secret_index, order_key, status, attempts, error, case when status = 'failed' then clock_timestamp() end${more}
    from ${from}
    order by environment, source, event_id
    on conflict ${conflict} do nothing
    returning id, environment, source, event_id, body_id
  ), stored as (
    insert into ${schema}.bodies (id, stored_on, content, headers)
    select body.id, (now() at time zone 'UTC')::date, decode(body.content, 'hex'), body.headers
    from unnest($18::uuid[], $19::text[], $20::text[]) as body (id, content, headers)
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

async function insertUnchecked(
  { query, schema }: Database,
  candidates: readonly Candidate[],
): Promise<readonly InsertedRow[]> {
  return query<InsertedRow>(uncheckedSql(schema), valuesOf(candidates))
}

async function insertChecked(
  { query, schema }: Database,
  candidates: readonly Candidate[],
): Promise<readonly InsertedRow[]> {
  const keys = candidates.map(keyOfBody)
  return query<InsertedRow>(checkedSql(schema), [
    ...valuesOf(candidates),
    keys.map((key) => key ?? null),
    keys.map((key) => (key === undefined ? null : lockNumber(['oncehook body', schema, key]))),
    candidates.map(({ repeatsEventId }) => repeatsEventId ?? null),
  ])
}

function valuesOf(candidates: readonly Candidate[]): readonly unknown[] {
  const receipts = candidates.map(({ receipt }) => receipt)
  const bodies = [...new Map(receipts.map(({ body }) => [body.id, body])).values()]
  return [
    receipts.map(({ environment }) => environment),
    receipts.map(({ source }) => source),
    receipts.map(({ eventId }) => eventId),
    receipts.map(({ event }) => storableText(event.type)),
    receipts.map(({ event }) => optionalText(event.deliveryId)),
    receipts.map(({ event }) => optionalText(event.objectId)),
    receipts.map(({ event }) => storableTime(event.occurredAt)),
    receipts.map(({ body }) => body.id),
    receipts.map(({ body }) => hexadecimal(body.hash)),
    receipts.map(({ event }) => event.part?.replaceAll('\u0000', '\ufffd').toWellFormed() ?? null),
    receipts.map(({ secretIndex }) => secretIndex ?? null),
    receipts.map(({ orderKey }) => storableOrderKey(orderKey)),
    receipts.map(initialStatus),
    receipts.map(({ adopted }) => adopted?.attempts ?? 0),
    receipts.map(({ adopted }) => adopted?.error ?? null),
    receipts.map(({ disposition }) => disposition === 'queued'),
    receipts.map(({ adopted }) => adopted?.delaySeconds ?? 0),
    bodies.map(({ id }) => id),
    bodies.map(({ content }) => hexadecimal(content)),
    // JSON text keeps any header as it came: what a text column refuses is escaped in it.
    bodies.map(({ headers }) => JSON.stringify(headers)),
  ]
}
