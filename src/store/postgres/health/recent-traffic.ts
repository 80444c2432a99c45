import type { Database } from '../database.ts'
import { failedFirstSql } from '../runs.ts'

/** What a source did lately. */
export type TrafficRow = {
  readonly source: string
  readonly received: number
  readonly duplicates: number
  readonly firstAttempts: number
  readonly firstAttemptsFailed: number
}

export type RecentTraffic = { readonly windowSeconds: number; readonly sources: readonly TrafficRow[] }

/**
 * Three walks from the newest row backwards, each over so many rows at most. Where one of them ends before the hour does, the window is
 * what all of them have seen. A first attempt that succeeded is known by its receipt, one that failed by the log: of an inline one that
 * was rolled back there is no receipt.
 */
const trafficSql = (schema: string): string => `
  with newest as materialized (
    select environment, source, event_id, received_at, processed_at, attempts
    from ${schema}.receipts
    order by id desc
    limit $2::int
  ), noted as materialized (
    select environment, source, kind, at from ${schema}.deliveries order by id desc limit $2::int
  ), failed as materialized (
    select environment, source, event_id, ended_at
    from ${schema}.attempts
    where ${failedFirstSql}
    order by id desc
    limit $2::int
  ), span as (
    select greatest(
      clock_timestamp() - interval '1 hour',
      (select min(received_at) from newest having count(received_at) = $2::int),
      (select min(at) from noted having count(at) = $2::int),
      (select min(ended_at) from failed having count(ended_at) = $2::int)
    ) as begins_at
  ), failures as (
    select distinct failed.source, failed.event_id
    from failed cross join span
    where failed.environment = $1::text and failed.ended_at >= span.begins_at
  ), successes as (
    select newest.source
    from newest cross join span
    where newest.environment = $1::text and newest.processed_at >= span.begins_at and newest.attempts <= 1
      and not exists (
        select from failures where failures.source = newest.source and failures.event_id = newest.event_id
      )
  ), counted as (
    select source, count(source) as received, 0 as duplicates, 0 as succeeded, 0 as failed
    from newest cross join span
    where environment = $1::text and received_at >= begins_at
    group by source
    union all
    select source, 0, count(source), 0, 0
    from noted cross join span
    where environment = $1::text and at >= begins_at and kind in ('duplicate', 'mutated', 'replayed_body')
    group by source
    union all
    select source, 0, 0, count(source), 0 from successes group by source
    union all
    select source, 0, 0, 0, count(source) from failures group by source
  ), summed as (
    select source, sum(received)::int as received, sum(duplicates)::int as duplicates,
      sum(succeeded + failed)::int as "firstAttempts", sum(failed)::int as "firstAttemptsFailed"
    from counted
    group by source
  )
  select extract(epoch from clock_timestamp() - span.begins_at)::float8 as "windowSeconds", summed.source, summed.received,
    summed.duplicates, summed."firstAttempts", summed."firstAttemptsFailed"
  from span left join summed on true`

/** Without what is the same for all. */
function trafficOf({ source, received, duplicates, firstAttempts, firstAttemptsFailed }: TrafficRow): TrafficRow {
  return { source, received, duplicates, firstAttempts, firstAttemptsFailed }
}

type Row = TrafficRow & { readonly windowSeconds: number }

export async function recentTraffic(
  { query, schema }: Database,
  environment: string,
  mostRows: number,
): Promise<RecentTraffic> {
  const rows = await query<Row | (Pick<Row, 'windowSeconds'> & { readonly source: null })>(trafficSql(schema), [
    environment,
    mostRows,
  ])
  return {
    windowSeconds: rows[0]?.windowSeconds ?? 0,
    sources: rows.flatMap((row) => (row.source === null ? [] : [trafficOf(row)])),
  }
}
