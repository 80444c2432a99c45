import { type CountedRetries, delayBounds, type RetryCause } from '../../receipt/retry-pattern.ts'
import type { RetryQuestion } from '../store.ts'
import { type Database, millisecondsSql } from './database.ts'
import { firstIdSinceSql } from './first-id-since.ts'
import { failedFirstSql } from './runs.ts'

/** So many of each kind are looked at, the newest ones. Each costs a few look-ups by key. */
const mostCopies = 50_000

const knownSql = "('duplicate', 'mutated', 'replayed_body')"

/**
 * A copy is a delivery that the log holds, or one that followed an inline run that failed: of such a run only the attempt is kept,
 * and the receipt, if there is one, came later. A receipt within a second is of the same delivery, which the queue took over.
 */
const retryPatternsSql = (schema: string): string => `
  with recursive
  ${firstIdSinceSql('first_delivery', { table: `${schema}.deliveries`, time: 'at' }, `$2::timestamptz - interval '10 minutes'`)},
  ${firstIdSinceSql(
    'first_failure',
    { table: `${schema}.attempts`, time: 'ended_at', condition: failedFirstSql },
    `$2::timestamptz - interval '10 minutes'`,
  )},
  facts as (
    select source, deadline_seconds, retry_hours, is_inline
    from unnest($4::text[], $5::float8[], $6::float8[], $7::boolean[]) as facts (source, deadline_seconds, retry_hours, is_inline)
  ), logged as materialized (
    select id, source, event_id, kind, at, latency_ms
    from ${schema}.deliveries
    where id >= (select first_id from first_delivery) and environment = $1::text and at >= $2::timestamptz
      and ($3::text is null or source = $3::text) and event_id is not null and kind in ${knownSql}
    order by id desc
    limit ${mostCopies + 1}
  ), failures as materialized (
    select id, source, event_id, ended_at
    from ${schema}.attempts
    where ${failedFirstSql} and id >= (select first_id from first_failure) and environment = $1::text
      and ended_at >= $2::timestamptz and ($3::text is null or source = $3::text)
    order by id desc
    limit ${mostCopies + 1}
  ), repeated as (
    select logged.source, logged.event_id, logged.kind, receipts.received_at,
      logged.at - make_interval(secs => logged.latency_ms / 1000) as came_at,
      coalesce(before.at, receipts.received_at) as previous_at,
      coalesce(before.latency_ms / 1000, case when facts.is_inline then handled.seconds end) as previous_seconds
    from logged
    left join facts using (source)
    left join ${schema}.receipts
      on receipts.environment = $1::text and receipts.source = logged.source and receipts.event_id = logged.event_id
    left join lateral (
      select other.at, other.latency_ms from ${schema}.deliveries as other
      where other.environment = $1::text and other.source = logged.source and other.event_id = logged.event_id
        and other.id < logged.id and other.kind in ${knownSql}
      order by other.at desc, other.id desc
      limit 1
    ) as before on true
    left join lateral (
      select max(extract(epoch from ended_at - started_at))::float8 as seconds from ${schema}.attempts
      where environment = $1::text and source = logged.source and event_id = logged.event_id and outcome = 'succeeded'
    ) as handled on true
  ), sent_again as (
    select failures.source, failures.event_id, 'error' as kind, receipts.received_at,
      least(next.started_at, receipts.received_at) as came_at, failures.ended_at as previous_at, null::float8 as previous_seconds
    from failures
    left join ${schema}.receipts
      on receipts.environment = $1::text and receipts.source = failures.source and receipts.event_id = failures.event_id
    left join lateral (
      select min(started_at) as started_at from ${schema}.attempts
      where environment = $1::text and source = failures.source and event_id = failures.event_id and id > failures.id and attempt = 1
    ) as next on true
    where (receipts.received_at is null or receipts.received_at > failures.ended_at + interval '1 second')
      and coalesce(next.started_at, receipts.received_at) is not null
  ), copies as (
    select source, event_id, kind, came_at, received_at, previous_seconds,
      greatest(0, extract(epoch from came_at - coalesce(previous_at, came_at)))::float8 as delay_seconds
    from (
      select source, event_id, kind, came_at, received_at, previous_at, previous_seconds from repeated
      union all
      select source, event_id, kind, came_at, received_at, previous_at, previous_seconds from sent_again
    ) as all_copies
  ), explained as (
    select copies.source, copies.event_id, copies.delay_seconds,
      case
        when kind = 'error' then 'error_answer'
        when kind = 'mutated' then 'changed_body'
        when kind = 'replayed_body' then 'replayed_body'
        when previous_seconds >= coalesce(facts.deadline_seconds, 10) then 'slow_answer'
        when delay_seconds < 2 then 'at_once'
        when facts.retry_hours = 0 then 'resent'
        when extract(epoch from came_at - received_at) > facts.retry_hours * 3600 * 1.1 then 'resent'
        else 'provider'
      end as cause
    from copies left join facts using (source)
  )
  select source, 'cause' as figure, cause as key, count(event_id)::float8 as count from explained group by source, cause
  union all
  select source, 'delay', width_bucket(delay_seconds, $8::float8[])::text, count(event_id) from explained group by 1, 3
  union all
  select source, 'copies', copies::text, count(event_id)
  from (select source, event_id, count(cause) as copies from explained group by 1, 2) as events
  group by 1, 3
  union all
  select '', 'until', '', ${millisecondsSql('clock_timestamp()')}
  union all
  select '', 'cut', '', 1
  where (select count(id) from logged) > ${mostCopies} or (select count(id) from failures) > ${mostCopies}`

type Row = { readonly source: string; readonly figure: string; readonly key: string; readonly count: number }

/** Counted in one look, which grows with the copies since then and not with the ledger. */
export async function retryPatterns(
  { query, schema }: Database,
  environment: string,
  { source, since, limits }: RetryQuestion,
): Promise<readonly CountedRetries[]> {
  const rows = await query<Row>(retryPatternsSql(schema), [
    environment,
    since.toISOString(),
    source ?? null,
    limits.map((one) => one.source),
    limits.map(({ deadlineSeconds }) => deadlineSeconds ?? null),
    limits.map(({ retryHours }) => retryHours ?? null),
    limits.map(({ isInline }) => isInline),
    delayBounds,
  ])
  const until = new Date(rows.find(({ figure }) => figure === 'until')?.count ?? Date.now())
  const isComplete = !rows.some(({ figure }) => figure === 'cut')
  const sources = new Set(rows.flatMap((row) => (row.source === '' ? [] : [row.source])))
  return [...sources].toSorted().map((name) => {
    const own = rows.filter((row) => row.source === name)
    return { source: name, since, until, isComplete, ...figuresOf(own) }
  })
}

function figuresOf(rows: readonly Row[]): Pick<CountedRetries, 'causes' | 'delays' | 'copiesPerEvent'> {
  const of = (figure: string): readonly Row[] => rows.filter((row) => row.figure === figure)
  const delays = of('delay')
  return {
    causes: of('cause').map(({ key, count }) => ({ cause: key as RetryCause, copies: count })),
    delays: [...delayBounds, 0].map((_, index) => delays.find(({ key }) => Number(key) === index)?.count ?? 0),
    copiesPerEvent: of('copies')
      .map(({ key, count }) => ({ copies: Number(key), events: count }))
      .toSorted((one, other) => one.copies - other.copies),
  }
}
