import type { Claim, ClaimRequest, ClaimScope } from '../store.ts'
import { binaryArray } from './binary-arrays.ts'
import type { Database } from './database.ts'
import { type EventRow, toReadReceipt } from './event-row.ts'
import { withKeptBodies } from './retention/kept-bodies.ts'
import { madeOnce } from './schema-name.ts'
import type { CallValue, TextRow } from './sql-client.ts'
import { isConflict, sqlState } from './sql-errors.ts'

/** As in the function that claims. */
const isItsTurnSql = (schema: string): string => `
  (queue.order_key is null or not exists (
    select from ${schema}.queue as other
    where other.environment = queue.environment and other.source = queue.source and other.order_key = queue.order_key
      and other.receipt_id <> queue.receipt_id
      and (other.leased_by is not null or (queue.leased_by is null and other.receipt_id < queue.receipt_id))
  ))`

/** The function is in the migrations. Times in seconds, as `date_part` has them: `extract` would work them out digit by digit. */
const claimSql = madeOnce(
  (schema) => `
  select receipt_id::text as "receiptId", fence::text as fence, attempt, source,
    date_part('epoch', received_at) as "receivedSeconds", date_part('epoch', clock_timestamp() - received_at) as "ageSeconds",
    event_id as "eventId", type, delivery_id as "deliveryId", object_id as "objectId", part, body_id::text as "bodyId",
    date_part('epoch', occurred_at) as "occurredSeconds", completed_handlers as "completedHandlers",
    body_text as text, encode(content, 'hex') as content, headers, abandoned_by as "abandonedBy"
  from ${schema}.claim_due($1::text, $2::text[], $3::text, $4::int, $5::float8, $6::bigint[])`,
)

type ClaimRow = Omit<EventRow, 'occurredAt'> & {
  readonly receiptId: string
  readonly fence: string
  readonly attempt: number
  readonly receivedSeconds: number
  readonly occurredSeconds: number | null
  readonly ageSeconds: number
  readonly abandonedBy: string | null
}

const attemptsToClaim = 5

export async function claim(database: Database, request: ClaimRequest): Promise<readonly Claim[]> {
  const { query, call, schema } = database
  const { environment, sources, worker, limit, leaseSeconds, except = [] } = request
  for (let attempt = 1; ; attempt += 1) {
    try {
      const rows =
        call === undefined
          ? await query<ClaimRow>(claimSql(schema), [environment, sources, worker, limit, leaseSeconds, except])
          : (await call({ text: claimSql(schema), values: callValues(request) })).map(rowOf)
      return (await withKeptBodies(database, rows)).map((row) => toClaim(environment, row))
    } catch (error) {
      // Another worker leased an event of the same order key in the same moment.
      const isRace = sqlState(error) === '23505' || isConflict(error)
      if (!isRace || attempt === attemptsToClaim) throw error
    }
  }
}

function callValues({
  environment,
  sources,
  worker,
  limit,
  leaseSeconds,
  except = [],
}: ClaimRequest): readonly CallValue[] {
  return [
    environment,
    binaryArray('text', sources),
    worker,
    String(limit),
    String(leaseSeconds),
    binaryArray('int8', except),
  ]
}

/** In the order of the columns. */
function rowOf(texts: TextRow): ClaimRow {
  const [receiptId, fence, attempt, source, receivedSeconds, ageSeconds, eventId, type, deliveryId, ...rest] = texts
  const [objectId, part, bodyId, occurredSeconds, completedHandlers, text, content, headers, abandonedBy] = rest
  return {
    receiptId,
    fence,
    source,
    eventId,
    type,
    deliveryId,
    objectId,
    part,
    bodyId,
    completedHandlers,
    text,
    content,
    headers,
    abandonedBy,
    attempt: Number(attempt),
    receivedSeconds: Number(receivedSeconds),
    ageSeconds: Number(ageSeconds),
    occurredSeconds: occurredSeconds === null ? null : Number(occurredSeconds),
  } as ClaimRow
}

function toClaim(environment: string, row: ClaimRow): Claim {
  const { source, eventId, receiptId, fence, attempt, receivedSeconds, occurredSeconds, ageSeconds } = row
  const occurredAt = occurredSeconds === null ? null : millisecondsOf(occurredSeconds)
  const { event, completedHandlers, body, bodyId } = toReadReceipt({ ...row, occurredAt })
  return {
    environment,
    source,
    eventId,
    lease: { receiptId, fence },
    attempt,
    receivedAt: new Date(millisecondsOf(receivedSeconds)),
    ageSeconds,
    claimedAt: performance.now(),
    abandonedBy: row.abandonedBy ?? undefined,
    event,
    completedHandlers,
    body,
    bodyId,
  }
}

/** Whole ones. The seconds are a double, which is less than half a microsecond away from the time that is meant. */
function millisecondsOf(seconds: number): number {
  return Math.floor(seconds * 1000 + 0.0005)
}

/** Events that must wait for another one of their order key do not count: that one's time is the time. */
const untilDueSql = (schema: string): string => `
  select greatest(0, extract(epoch from queue.due_at - clock_timestamp()) * 1000)::float8 as milliseconds
  from ${schema}.queue
  where queue.environment = $1::text and queue.source = any ($2::text[]) and queue.receipt_id <> all ($3::bigint[])
    and ${isItsTurnSql(schema)}
  order by queue.due_at
  limit 1`

export async function millisecondsUntilDue(
  { query, schema }: Database,
  { environment, sources, except = [] }: ClaimScope,
): Promise<number | undefined> {
  const rows = await query<{ readonly milliseconds: number }>(untilDueSql(schema), [environment, sources, except])
  return rows[0] === undefined ? undefined : Math.ceil(rows[0].milliseconds)
}
