import type { SourceWatch } from '../recovery-store.ts'
import { type Database, millisecondsSql, optionalDate } from './database.ts'

/**
 * What came since the last look is read by id, so that it costs as much as it is. A first look begins with now.
 * What did not come as a webhook does not count: it says nothing about deliveries.
 */
const readWatchesSql = (schema: string): string => `
  with known as (
    select source, looked_at, heard_at, pause_seconds, seen_to from ${schema}.watches where environment = $1::text
  ), mark as (
    select coalesce((select max(seen_to) from known), (select max(id) from ${schema}.receipts), 0) as seen_to
  ), come as (
    select source, max(received_at) as heard_at, max(id) as seen_to
    from ${schema}.receipts
    where environment = $1::text and id > (select seen_to from mark) and origin is null
    group by source
  )
  select given.source, ${millisecondsSql('clock_timestamp()')} as now, ${millisecondsSql('known.looked_at')} as "lookedAt",
    ${millisecondsSql('known.heard_at')} as "heardBefore",
    ${millisecondsSql('coalesce(come.heard_at, known.heard_at, clock_timestamp())')} as "heardAt",
    coalesce(known.pause_seconds, 0) as "pauseSeconds",
    greatest((select seen_to from mark), (select max(come.seen_to) from come))::text as "seenTo"
  from unnest($2::text[]) as given (source)
  left join known using (source)
  left join come using (source)`

type WatchRow = Pick<SourceWatch, 'source' | 'pauseSeconds' | 'seenTo'> & {
  readonly now: number
  readonly lookedAt: number | null
  readonly heardAt: number
  readonly heardBefore: number | null
}

export async function readWatches(
  { query, schema }: Database,
  environment: string,
  sources: readonly string[],
): Promise<readonly SourceWatch[]> {
  if (sources.length === 0) return []
  const rows = await query<WatchRow>(readWatchesSql(schema), [environment, [...sources]])
  return rows.map((row) => ({
    ...row,
    now: new Date(row.now),
    lookedAt: optionalDate(row.lookedAt),
    heardAt: new Date(row.heardAt),
    heardBefore: optionalDate(row.heardBefore),
  }))
}

const saveWatchesSql = (schema: string): string => `
  insert into ${schema}.watches (environment, source, looked_at, heard_at, pause_seconds, seen_to)
  select $1::text, given.source, clock_timestamp(), given.heard_at, given.pause_seconds, given.seen_to
  from unnest($2::text[], $3::timestamptz[], $4::float8[], $5::bigint[])
    as given (source, heard_at, pause_seconds, seen_to)
  on conflict (environment, source) do update
  set looked_at = excluded.looked_at, heard_at = excluded.heard_at, pause_seconds = excluded.pause_seconds,
    seen_to = excluded.seen_to`

export async function saveWatches(
  { query, schema }: Database,
  environment: string,
  watches: readonly SourceWatch[],
): Promise<void> {
  if (watches.length === 0) return
  await query(saveWatchesSql(schema), [
    environment,
    watches.map(({ source }) => source),
    watches.map(({ heardAt }) => heardAt.toISOString()),
    watches.map(({ pauseSeconds }) => pauseSeconds),
    watches.map(({ seenTo }) => seenTo),
  ])
}
