import type { TrafficTally } from '../../../receipt/traffic-log.ts'
import type { TrafficBucket, TrafficQuestion } from '../../overview-store.ts'
import { type Database, millisecondsSql } from '../database.ts'

const counted = ['accepted', 'duplicates', 'refused', 'succeeded', 'failed', 'lag_sum', 'lag_count'] as const

/** In a fixed order, so that two processes that write at once never wait in a circle. What is past its days goes by the way. */
const addSql = (schema: string): string => `
  with past as (
    delete from ${schema}.traffic_minutes
    where (environment, minute, source) in (
      select environment, minute, source from ${schema}.traffic_minutes
      where environment = $1::text and minute < clock_timestamp() - interval '3 days'
      limit 1000
      for update skip locked
    )
  )
  insert into ${schema}.traffic_minutes as known (environment, minute, source, ${counted.join(', ')})
  select $1::text, date_trunc('minute', clock_timestamp()), source, ${counted.join(', ')}
  from unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::float8[], $9::bigint[])
    as given (source, ${counted.join(', ')})
  order by source
  on conflict (environment, minute, source) do update
  set ${counted.map((column) => `${column} = known.${column} + excluded.${column}`).join(', ')}`

export async function addTraffic(
  { query, schema }: Database,
  environment: string,
  tallies: readonly TrafficTally[],
): Promise<void> {
  await query(addSql(schema), [
    environment,
    tallies.map(({ source }) => source),
    tallies.map(({ accepted }) => accepted),
    tallies.map(({ duplicates }) => duplicates),
    tallies.map(({ refused }) => refused),
    tallies.map(({ succeeded }) => succeeded),
    tallies.map(({ failed }) => failed),
    tallies.map(({ lagSum }) => lagSum),
    tallies.map(({ lagCount }) => lagCount),
  ])
}

/** The last stretch is the one that is still running. */
const readSql = (schema: string): string => `
  with stretches as (
    select first + number * make_interval(secs => $3::float8) as at
    from (
      select date_bin(make_interval(secs => $3::float8), clock_timestamp(), timestamptz 'epoch')
        - ($2::int - 1) * make_interval(secs => $3::float8) as first
    ) as span
    cross join generate_series(0, $2::int - 1) as number
  ), counts as (
    select date_bin(make_interval(secs => $3::float8), minute, timestamptz 'epoch') as at,
      sum(accepted) as accepted, sum(duplicates) as duplicates, sum(refused) as refused, sum(succeeded) as succeeded,
      sum(failed) as failed, sum(lag_sum) as lag_sum, sum(lag_count) as lag_count
    from ${schema}.traffic_minutes
    where environment = $1::text and minute >= (select min(at) from stretches) and ($4::text is null or source = $4::text)
    group by 1
  )
  select ${millisecondsSql('stretches.at')} as at, coalesce(counts.accepted, 0)::float8 as accepted,
    coalesce(counts.duplicates, 0)::float8 as duplicates, coalesce(counts.refused, 0)::float8 as refused,
    coalesce(counts.succeeded, 0)::float8 as succeeded, coalesce(counts.failed, 0)::float8 as failed,
    (counts.lag_sum / nullif(counts.lag_count, 0))::float8 as "lagMilliseconds"
  from stretches left join counts using (at)
  order by stretches.at`

type Row = Omit<TrafficBucket, 'at' | 'lagMilliseconds'> & {
  readonly at: number
  readonly lagMilliseconds: number | null
}

export async function readTraffic(
  { query, schema }: Database,
  environment: string,
  { minutes, bucketSeconds, source }: TrafficQuestion,
): Promise<readonly TrafficBucket[]> {
  const buckets = Math.ceil((minutes * 60) / bucketSeconds)
  const rows = await query<Row>(readSql(schema), [environment, buckets, bucketSeconds, source ?? null])
  return rows.map((row) => ({ ...row, at: new Date(row.at), lagMilliseconds: row.lagMilliseconds ?? undefined }))
}
