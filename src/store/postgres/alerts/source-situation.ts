import type { Silence, SourceSituation, TrafficSums } from '../../alert-store.ts'
import { type Database, millisecondsSql } from '../database.ts'

/** The moment of an evaluation, as a parameter: milliseconds by the database's clock. */
export const momentSql = (parameter: string): string => `to_timestamp(${parameter}::float8 / 1000)`

/** Stretches of time, each looked up by the key of its source: a few hundred rows of each, however long the ledger is. */
const slotsSql = `
  now as (select ${momentSql('$3')} as at, date_bin('5 minutes', ${momentSql('$3')}, timestamptz 'epoch') - interval '10 minutes' as starts),
  slots as (
    select 'window' as kind, 0 as number, starts, 'infinity'::timestamptz as ends from now
    union all
    select 'hour', number, starts - number * interval '1 hour', starts - (number - 1) * interval '1 hour'
    from now cross join generate_series(1, 24) as number
    union all
    select 'week', number, at - number * interval '7 days' - interval '30 minutes', at - number * interval '7 days' + interval '30 minutes'
    from now cross join generate_series(1, 4) as number
  )`

const trafficSql = (schema: string): string => `
  with ${slotsSql}
  select given.source, slots.kind, coalesce(sums.events, 0)::float8 as events, coalesce(sums.handled, 0)::float8 as handled,
    coalesce(sums.failed, 0)::float8 as failed, coalesce(sums.copies, 0)::float8 as copies,
    coalesce(sums.answered, 0)::float8 as answered, coalesce(sums.near, 0)::float8 as near, coalesce(sums.late, 0)::float8 as late,
    coalesce(sums.slowest, 0)::float8 as "slowestMilliseconds", coalesce(refused.forged, 0)::float8 as forged
  from unnest($2::text[]) as given (source)
  cross join slots
  cross join lateral (
    select sum(events) as events, sum(handled) as handled, sum(failed) as failed, sum(copies) as copies, sum(answered) as answered,
      sum(answered_near) as near, sum(answered_late) as late, max(slowest_ms) as slowest
    from ${schema}.traffic
    where traffic.environment = $1::text and traffic.source = given.source and bucket >= slots.starts and bucket < slots.ends
  ) as sums
  cross join lateral (
    select sum(count) as forged from ${schema}.refusals
    where refusals.environment = $1::text and refusals.source = given.source and refusals.kind = 'forged'
      and minute >= slots.starts and minute < slots.ends
  ) as refused
  where sums.events is not null or refused.forged is not null
  order by given.source, slots.kind, slots.number`

type TrafficRow = TrafficSums & { readonly source: string; readonly kind: 'window' | 'hour' | 'week' }

/** A week without a pause has as many: whoever talks more often than that is judged by what is missing. */
const mostBuckets = 2016

/**
 * Only of sources that are quiet, so the long look back is rare. What the others did in the same time of the weeks before counts only if
 * they were known then.
 */
const silenceSql = (schema: string): string => `
  with now as (select ${momentSql('$3')} as at),
  quiet as (
    select given.source, now.at, last.bucket + interval '5 minutes' as heard_at, first.bucket as known_since,
      greatest(last.bucket + interval '5 minutes', ${momentSql('$4')}) as quiet_since
    from unnest($2::text[]) as given (source)
    cross join now
    cross join lateral (
      select bucket from ${schema}.traffic where environment = $1::text and source = given.source order by bucket desc limit 1
    ) as last
    cross join lateral (
      select bucket from ${schema}.traffic where environment = $1::text and source = given.source order by bucket limit 1
    ) as first
    where greatest(last.bucket + interval '5 minutes', ${momentSql('$4')}) <= now.at - make_interval(mins => $5::int)
  )
  select quiet.source, (extract(epoch from quiet.at - quiet.quiet_since) / 60)::float8 as minutes,
    ${millisecondsSql('quiet.heard_at')} as "lastHeardAt", (extract(epoch from quiet.at - quiet.known_since) / 86400)::float8 as "knownDays",
    usual.counts as usual, gaps.heard::float8 as heard, coalesce(extract(epoch from gaps.longest) / 60, 0)::float8 as "longestMinutes"
  from quiet
  cross join lateral (
    select coalesce(json_agg(coalesce(before.count, 0)), '[]')::text as counts
    from generate_series(1, 4) as week
    cross join lateral (
      select sum(events + copies) as count from ${schema}.traffic
      where environment = $1::text and traffic.source = quiet.source
        and bucket >= quiet.quiet_since - week * interval '7 days' and bucket < quiet.at - week * interval '7 days'
    ) as before
    where quiet.quiet_since - week * interval '7 days' >= quiet.known_since
  ) as usual
  cross join lateral (
    select max(gap) - interval '5 minutes' as longest, count(bucket) as heard
    from (
      select bucket, bucket - lag(bucket) over (order by bucket) as gap
      from (
        select bucket from ${schema}.traffic
        where environment = $1::text and traffic.source = quiet.source and bucket >= quiet.at - interval '28 days'
        order by bucket desc
        limit ${mostBuckets}
      ) as latest
    ) as between_buckets
  ) as gaps`

type SilenceRow = Omit<Silence, 'lastHeardAt' | 'usual'> & {
  readonly source: string
  readonly lastHeardAt: number
  readonly usual: string
}

export type SourcesQuestion = {
  readonly at: number
  readonly watchingSince: number
  readonly sources: readonly string[]
  readonly quietMinutes: number | undefined
}

export async function sourceSituations(
  { query, schema }: Database,
  environment: string,
  { at, watchingSince, sources, quietMinutes }: SourcesQuestion,
): Promise<readonly SourceSituation[]> {
  const rows = await query<TrafficRow>(trafficSql(schema), [environment, sources, at])
  const silences =
    quietMinutes === undefined
      ? []
      : await query<SilenceRow>(silenceSql(schema), [environment, sources, at, watchingSince, quietMinutes])
  return sources.map((source) => {
    const own = rows.filter((row) => row.source === source)
    const of = (kind: TrafficRow['kind']): readonly TrafficSums[] => own.filter((row) => row.kind === kind)
    return {
      source,
      window: of('window')[0] ?? nothing,
      hours: of('hour'),
      weeks: of('week'),
      silence: toSilence(silences.find((silence) => silence.source === source)),
    }
  })
}

function toSilence(row: SilenceRow | undefined): Silence | undefined {
  if (row === undefined) return undefined
  const { minutes, knownDays, heard, longestMinutes } = row
  return {
    minutes,
    knownDays,
    heard,
    longestMinutes,
    lastHeardAt: new Date(row.lastHeardAt),
    usual: JSON.parse(row.usual) as readonly number[],
  }
}

const nothing: TrafficSums = {
  events: 0,
  handled: 0,
  failed: 0,
  copies: 0,
  answered: 0,
  near: 0,
  late: 0,
  slowestMilliseconds: 0,
  forged: 0,
}
