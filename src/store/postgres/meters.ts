import type { MeterReading } from '../../receipt/meters.ts'
import type { MeterStore } from '../meter-store.ts'
import { type Database, millisecondsSql, optionalDate } from './database.ts'

/** The meters of a store in PostgreSQL. */
export function meterStore(database: Database): MeterStore {
  return {
    add: (readings) => add(database, readings),
    read: (environment, days) => read(database, environment, days),
  }
}

/** Rows are locked in a fixed order, so that two processes that write at once never wait in a circle. */
const addDeadlinesSql = (schema: string): string => `
  insert into ${schema}.deadlines as known
    (environment, source, day, deliveries, past_half, past_most, past_all, slowest_ms)
  select given.environment, given.source, (clock_timestamp() at time zone 'UTC')::date, given.deliveries, given.past_half,
    given.past_most, given.past_all, given.slowest_ms
  from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::float8[])
    as given (environment, source, deliveries, past_half, past_most, past_all, slowest_ms)
  order by 1, 2
  on conflict (environment, source, day) do update
  set deliveries = known.deliveries + excluded.deliveries, past_half = known.past_half + excluded.past_half,
    past_most = known.past_most + excluded.past_most, past_all = known.past_all + excluded.past_all,
    slowest_ms = greatest(known.slowest_ms, excluded.slowest_ms)`

/** A secret that was seen starts to count the others from nothing, whatever came in between. */
const addUsesSql = (schema: string): string => `
  insert into ${schema}.secret_uses as known
    (environment, source, mark, secret_index, deliveries, others_since, last_seen_at)
  select given.environment, given.source, given.mark, given.secret_index, given.deliveries,
    case when given.deliveries > 0 then 0 else given.others end,
    case when given.deliveries > 0 then clock_timestamp() end
  from unnest($1::text[], $2::text[], $3::text[], $4::smallint[], $5::bigint[], $6::bigint[])
    as given (environment, source, mark, secret_index, deliveries, others)
  order by 1, 2, 3, 4
  on conflict (environment, source, mark, secret_index) do update
  set deliveries = known.deliveries + excluded.deliveries,
    others_since = case when excluded.deliveries > 0 then 0 else known.others_since + excluded.others_since end,
    last_seen_at = coalesce(excluded.last_seen_at, known.last_seen_at)`

async function add({ query, schema }: Database, readings: readonly MeterReading[]): Promise<void> {
  const deadlines = readings.flatMap(({ environment, source, deadline }) =>
    deadline === undefined ? [] : [{ environment, source, ...deadline }],
  )
  if (deadlines.length > 0) {
    await query(addDeadlinesSql(schema), [
      deadlines.map(({ environment }) => environment),
      deadlines.map(({ source }) => source),
      deadlines.map(({ deliveries }) => deliveries),
      deadlines.map(({ pastHalf }) => pastHalf),
      deadlines.map(({ pastMost }) => pastMost),
      deadlines.map(({ pastAll }) => pastAll),
      deadlines.map(({ slowestMilliseconds }) => slowestMilliseconds),
    ])
  }
  const uses = readings.flatMap(usesOf)
  if (uses.length === 0) return
  await query(addUsesSql(schema), [
    uses.map(({ environment }) => environment),
    uses.map(({ source }) => source),
    uses.map(({ mark }) => mark),
    uses.map(({ index }) => index),
    uses.map(({ deliveries }) => deliveries),
    uses.map(({ others }) => others),
  ])
}

type Use = {
  readonly environment: string
  readonly source: string
  readonly mark: string
  readonly index: number
  readonly deliveries: number
  readonly others: number
}

function usesOf({ environment, source, mark, bySecret }: MeterReading): readonly Use[] {
  if (mark === undefined) return []
  const all = bySecret.reduce((sum, count) => sum + count, 0)
  return bySecret.map((deliveries, index) => {
    return { environment, source, mark, index, deliveries, others: all - deliveries }
  })
}

const readDeadlinesSql = (schema: string): string => `
  select source, sum(deliveries)::float8 as deliveries, sum(past_half)::float8 as "pastHalf", sum(past_most)::float8 as "pastMost",
    sum(past_all)::float8 as "pastAll", max(slowest_ms) as "slowestMilliseconds"
  from ${schema}.deadlines
  where environment = $1::text and day > (clock_timestamp() at time zone 'UTC')::date - $2::int
  group by source`

const readUsesSql = (schema: string): string => `
  select source, mark, secret_index + 1 as position, deliveries::float8 as deliveries, others_since::float8 as "othersSince",
    ${millisecondsSql('since')} as since, ${millisecondsSql('last_seen_at')} as "lastSeenAt"
  from ${schema}.secret_uses
  where environment = $1::text`

type DeadlineRow = Awaited<ReturnType<MeterStore['read']>>['deadlines'][number]

type UseRow = {
  readonly source: string
  readonly mark: string
  readonly position: number
  readonly deliveries: number
  readonly othersSince: number
  readonly since: number
  readonly lastSeenAt: number | null
}

const nowSql = `select ${millisecondsSql('clock_timestamp()')} as now`

async function read({ query, schema }: Database, environment: string, days: number): ReturnType<MeterStore['read']> {
  const deadlines = await query<DeadlineRow>(readDeadlinesSql(schema), [environment, days])
  const uses = await query<UseRow>(readUsesSql(schema), [environment])
  const [clock] = await query<{ readonly now: number }>(nowSql)
  return {
    deadlines,
    secrets: uses.map((use) => {
      return { ...use, since: new Date(use.since), lastSeenAt: optionalDate(use.lastSeenAt) }
    }),
    now: new Date(clock?.now ?? Number.NaN),
  }
}
