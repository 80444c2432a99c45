import type { NewReceipt, ReceiptStatus, Recorded } from '../../receipt/receipt.ts'
import { type Database, statusSql } from './database.ts'
import { storeUnavailable } from './sql-errors.ts'
import { hexadecimal, optionalText, storableOrderKey, storableText, storableTime } from './storable.ts'

const attemptsToRecord = 3

/**
 * Of any number of concurrent calls with one key exactly one is told `first`. Answers in the order given, all or nothing.
 * The insert decides; what was there already is read by a second statement, because the first one cannot see it.
 */
export async function recordReceipts(
  database: Database,
  receipts: readonly NewReceipt[],
): Promise<readonly Recorded[]> {
  const firstOfKey = new Map<string, NewReceipt>()
  for (const receipt of receipts) if (!firstOfKey.has(keyOf(receipt))) firstOfKey.set(keyOf(receipt), receipt)

  const inserted = new Map<string, string>()
  const existing = new Map<string, ExistingReceipt>()
  let open = [...firstOfKey.values()]
  // More than one round is only needed when a receipt is deleted between the two statements.
  for (let round = 0; open.length > 0 && round < attemptsToRecord; round += 1) {
    for (const row of await insertReceipts(database, open)) inserted.set(keyOf(row), row.receiptId)
    const others = open.filter((receipt) => !inserted.has(keyOf(receipt)))
    for (const row of await readExisting(database, others)) existing.set(keyOf(row), row)
    open = others.filter((receipt) => !existing.has(keyOf(receipt)))
  }
  if (open.length > 0) throw storeUnavailable('a receipt vanished as often as it was looked for')

  return receipts.map((receipt): Recorded => {
    const first = firstOfKey.get(keyOf(receipt))
    const receiptId = inserted.get(keyOf(receipt))
    const found = existing.get(keyOf(receipt))
    if (found !== undefined) {
      const isMutated = found.bodyHash !== hexadecimal(receipt.body.hash)
      return { kind: 'duplicate', receiptId: found.receiptId, status: found.status, isMutated }
    }
    if (first === undefined || receiptId === undefined)
      throw storeUnavailable('the database did not answer for a receipt')
    if (first === receipt) return { kind: 'first', receiptId }
    const isMutated = hexadecimal(first.body.hash) !== hexadecimal(receipt.body.hash)
    return { kind: 'duplicate', receiptId, status: initialStatus(first), isMutated }
  })
}

function keyOf({ environment, source, eventId }: Pick<NewReceipt, 'environment' | 'source' | 'eventId'>): string {
  return JSON.stringify([environment, source, eventId])
}

function initialStatus({ disposition, adopted }: NewReceipt): Exclude<ReceiptStatus, 'processing'> {
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

/**
 * One statement for everything, so that a receipt never stands without its body or its queue row.
 * The keys are sorted: two batches that share some never wait for each other in a circle.
 */
const insertReceiptsSql = (schema: string): string => `
  with given as (
    select environment, source, event_id, type, delivery_id, object_id, occurred_at, body_id, body_hash, part,
      secret_index, order_key, status, attempts, error, is_queued, delay_seconds
    from unnest(
      $1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::uuid[], $9::text[],
      $10::text[], $11::smallint[], $12::text[], $13::text[], $14::int[], $15::text[], $16::boolean[], $17::float8[]
    ) as given (
      environment, source, event_id, type, delivery_id, object_id, occurred_at, body_id, body_hash,
      part, secret_index, order_key, status, attempts, error, is_queued, delay_seconds
    )
  ), recorded as (
    insert into ${schema}.receipts (
      environment, source, event_id, type, delivery_id, object_id, occurred_at, body_id, body_hash, part,
      secret_index, order_key, status, attempts, last_error, failed_at
    )
    select environment, source, event_id, type, delivery_id, object_id, occurred_at, body_id, decode(body_hash, 'hex'), part,
      secret_index, order_key, status, attempts, error, case when status = 'failed' then clock_timestamp() end
    from given
    order by environment, source, event_id
    on conflict (environment, source, event_id) do nothing
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
    from recorded join given using (environment, source, event_id)
    where given.is_queued
  )
  select id::text as "receiptId", environment, source, event_id as "eventId" from recorded`

type RecordedRow = {
  readonly receiptId: string
  readonly environment: string
  readonly source: string
  readonly eventId: string
}

async function insertReceipts(
  { query, schema }: Database,
  receipts: readonly NewReceipt[],
): Promise<readonly RecordedRow[]> {
  const bodies = [...new Map(receipts.map(({ body }) => [body.id, body])).values()]
  return query<RecordedRow>(insertReceiptsSql(schema), [
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
  ])
}

const readExistingSql = (schema: string): string => `
  select receipts.id::text as "receiptId", receipts.environment, receipts.source, receipts.event_id as "eventId",
    ${statusSql} as status, encode(receipts.body_hash, 'hex') as "bodyHash"
  from unnest($1::text[], $2::text[], $3::text[]) as given (environment, source, event_id)
  join ${schema}.receipts using (environment, source, event_id)
  left join ${schema}.queue on queue.receipt_id = receipts.id`

type ExistingReceipt = RecordedRow & { readonly status: ReceiptStatus; readonly bodyHash: string }

async function readExisting(
  { query, schema }: Database,
  receipts: readonly NewReceipt[],
): Promise<readonly ExistingReceipt[]> {
  if (receipts.length === 0) return []
  return query<ExistingReceipt>(readExistingSql(schema), [
    receipts.map(({ environment }) => environment),
    receipts.map(({ source }) => source),
    receipts.map(({ eventId }) => eventId),
  ])
}
