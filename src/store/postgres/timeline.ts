import type { Attempt, NotedDelivery, TimelineEntry } from '../../receipt/receipt.ts'
import { type Database, millisecondsSql } from './database.ts'
import { type ReceiptRow, receiptColumnsSql, toReceipt } from './find.ts'
import { isReceiptId } from './receipt-filter.ts'
import { effectsOf } from './timeline-effects.ts'

const receiptSql = (schema: string): string => `
  select ${receiptColumnsSql}
  from ${schema}.receipts
  left join ${schema}.queue on queue.receipt_id = receipts.id
  where receipts.environment = $1::text and receipts.id = $2::bigint`

/** Newest things last. */
export async function timeline(
  database: Database,
  environment: string,
  receiptId: string,
): Promise<readonly TimelineEntry[]> {
  if (!isReceiptId(receiptId)) return []
  const [row] = await database.query<ReceiptRow>(receiptSql(database.schema), [environment, receiptId])
  if (row === undefined) return []
  const receipt = toReceipt(row)
  const key = [receipt.environment, receipt.source, receipt.eventId]
  const happened = await Promise.all([
    attemptsOf(database, key),
    deliveriesOf(database, key),
    replaysOf(database, receiptId),
    holdsOf(database, receiptId),
    effectsOf(database, receiptId),
  ])
  const entries: readonly TimelineEntry[] = [{ kind: 'received', at: receipt.receivedAt, receipt }, ...happened.flat()]
  return entries.toSorted((one, other) => one.at.getTime() - other.at.getTime())
}

const attemptsSql = (schema: string): string => `
  select attempt, handler, worker, outcome, error, ${millisecondsSql('started_at')} as "startedAt",
    ${millisecondsSql('ended_at')} as "endedAt"
  from ${schema}.attempts
  where environment = $1::text and source = $2::text and event_id = $3::text
  order by id`

type AttemptRow = Pick<Attempt, 'attempt' | 'handler' | 'worker' | 'outcome'> & {
  readonly error: string | null
  readonly startedAt: number
  readonly endedAt: number
}

async function attemptsOf({ query, schema }: Database, key: readonly string[]): Promise<readonly TimelineEntry[]> {
  const rows = await query<AttemptRow>(attemptsSql(schema), key)
  return rows.map(({ startedAt, endedAt, error, ...row }) => ({
    kind: 'attempt',
    at: new Date(endedAt),
    attempt: { ...row, error: error ?? undefined, startedAt: new Date(startedAt), endedAt: new Date(endedAt) },
  }))
}

/** A line of the delivery log; every reader of it uses these columns. */
export const deliveryColumnsSql: string = `
  environment, source, event_id as "eventId", delivery_id as "deliveryId", kind, ${millisecondsSql('at')} as at,
  status::int as status, latency_ms as "latencyMilliseconds", detail, secret_index::int as "secretIndex"`

/** Of an event that came a million times again nobody reads all. */
const mostDeliveries = 1000

const deliveriesSql = (schema: string): string => `
  select ${deliveryColumnsSql}
  from ${schema}.deliveries
  where environment = $1::text and source = $2::text and event_id = $3::text
  order by id desc
  limit ${mostDeliveries}`

export type DeliveryRow = Pick<NotedDelivery, 'environment' | 'source' | 'kind' | 'status' | 'latencyMilliseconds'> & {
  readonly eventId: string | null
  readonly deliveryId: string | null
  readonly at: number
  readonly detail: string | null
  readonly secretIndex: number | null
}

async function deliveriesOf({ query, schema }: Database, key: readonly string[]): Promise<readonly TimelineEntry[]> {
  const rows = await query<DeliveryRow>(deliveriesSql(schema), key)
  return rows.toReversed().map((row) => ({ kind: 'delivery', at: new Date(row.at), delivery: toNotedDelivery(row) }))
}

export function toNotedDelivery(row: DeliveryRow): NotedDelivery {
  return {
    ...row,
    at: new Date(row.at),
    eventId: row.eventId ?? undefined,
    deliveryId: row.deliveryId ?? undefined,
    detail: row.detail ?? undefined,
    secretIndex: row.secretIndex ?? undefined,
  }
}

const replaysSql = (schema: string): string => `
  select "by", why, ${millisecondsSql('at')} as at from ${schema}.replays where receipt_id = $1::bigint order by id`

async function replaysOf({ query, schema }: Database, receiptId: string): Promise<readonly TimelineEntry[]> {
  const rows = await query<{ by: string; why: string; at: number }>(replaysSql(schema), [receiptId])
  return rows.map(({ by, why, at }) => ({ kind: 'replay', at: new Date(at), by, why }))
}

const holdsSql = (schema: string): string => `
  select "by", why, ${millisecondsSql('at')} as at, released_by as "releasedBy", released_why as "releasedWhy",
    ${millisecondsSql('released_at')} as "releasedAt"
  from ${schema}.holds where receipt_id = $1::bigint order by id`

type HoldRow = {
  readonly by: string
  readonly why: string
  readonly at: number
  readonly releasedBy: string | null
  readonly releasedWhy: string | null
  readonly releasedAt: number | null
}

async function holdsOf({ query, schema }: Database, receiptId: string): Promise<readonly TimelineEntry[]> {
  const rows = await query<HoldRow>(holdsSql(schema), [receiptId])
  return rows.flatMap(({ by, why, at, releasedBy, releasedWhy, releasedAt }): readonly TimelineEntry[] => [
    { kind: 'hold', at: new Date(at), by, why },
    ...(releasedAt === null
      ? []
      : [{ kind: 'release' as const, at: new Date(releasedAt), by: releasedBy ?? '', why: releasedWhy ?? '' }]),
  ])
}
