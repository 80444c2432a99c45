import type { EventKey, NotedDelivery } from '../../receipt/receipt.ts'
import type { HandlerRun } from '../store.ts'
import type { Database } from './database.ts'
import { logRunsSql, runValues } from './runs.ts'
import { optionalText, storableTime } from './storable.ts'

const noteRunSql = (schema: string): string => `
  with given as (select $1::text as environment, $2::text as source, $3::text as event_id)
  ${logRunsSql(schema, 'given', 4)}`

/** Keeps the record of a handler run whose transaction was rolled back. */
export async function noteRun({ query, schema }: Database, key: EventKey, run: HandlerRun): Promise<void> {
  await query(noteRunSql(schema), [key.environment, key.source, key.eventId, ...runValues([run])])
}

/** How many refusals of one kind have a row of their own, for each source and minute. The rest is only counted. */
const refusalsKept = 20

/** Counts and receipts are locked in a fixed order, so that two processes that flush at once never wait in a circle. */
const noteDeliveriesSql = (schema: string): string => `
  with given as (
    select environment, source, event_id, delivery_id, kind, coalesce(at, clock_timestamp()) as at, status, latency_ms, detail,
      secret_index, number
    from unnest(
      $1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::smallint[], $8::float8[], $9::text[],
      $10::smallint[]
    ) with ordinality as given (
      environment, source, event_id, delivery_id, kind, at, status, latency_ms, detail, secret_index, number
    )
  ), numbered as (
    select given.environment, given.source, given.event_id, given.delivery_id, given.kind, given.at, given.status,
      given.latency_ms, given.detail, given.secret_index, given.number, given.kind in ('duplicate', 'mutated', 'replayed_body') as is_known,
      row_number() over (partition by environment, source, kind order by number) as position,
      count(kind) over (partition by environment, source, kind) as size
    from given
  ), counted as (
    insert into ${schema}.refusals as refusals (environment, source, kind, minute, count)
    select environment, source, kind, date_trunc('minute', clock_timestamp()), max(size)
    from numbered
    where not is_known
    group by environment, source, kind
    order by environment, source, kind
    on conflict (environment, source, kind, minute) do update set count = refusals.count + excluded.count
    returning environment, source, kind, count
  ), logged as (
    insert into ${schema}.deliveries
      (environment, source, event_id, delivery_id, kind, at, status, latency_ms, detail, secret_index)
    select environment, source, event_id, delivery_id, kind, at, status, latency_ms, detail, secret_index
    from numbered left join counted using (environment, source, kind)
    where is_known or counted.count - size + position <= ${refusalsKept}
    order by number
  ), locked as (
    -- A body that is noted at the event that repeats it came with that event's first delivery, which is counted.
    select receipts.id, repeated.times - case when receipts.repeats_event_id is null then 0 else repeated.replayed end as times
    from (
      select environment, source, event_id, count(kind) as times, count(kind) filter (where kind = 'replayed_body') as replayed
      from numbered
      where is_known
      group by 1, 2, 3
    ) as repeated
    join ${schema}.receipts using (environment, source, event_id)
    order by receipts.id
    for no key update of receipts
  )
  update ${schema}.receipts
  set deliveries = receipts.deliveries + locked.times
  from locked
  where receipts.id = locked.id and locked.times > 0`

export async function noteDeliveries({ query, schema }: Database, deliveries: readonly NotedDelivery[]): Promise<void> {
  if (deliveries.length === 0) return
  await query(noteDeliveriesSql(schema), [
    deliveries.map(({ environment }) => environment),
    deliveries.map(({ source }) => source),
    deliveries.map(({ eventId }) => optionalText(eventId)),
    deliveries.map(({ deliveryId }) => optionalText(deliveryId)),
    deliveries.map(({ kind }) => kind),
    deliveries.map(({ at }) => storableTime(at)?.toISOString() ?? null),
    deliveries.map(({ status }) => status),
    deliveries.map(({ latencyMilliseconds }) => latencyMilliseconds),
    deliveries.map(({ detail }) => optionalText(detail)),
    deliveries.map(({ secretIndex }) => secretIndex ?? null),
  ])
}
