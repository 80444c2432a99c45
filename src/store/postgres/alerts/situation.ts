import type { AlertSituation, Lag, SituationQuestion } from '../../alert-store.ts'
import { type Database, millisecondsSql } from '../database.ts'
import { findEpisodes, findMutes } from './episodes.ts'
import { momentSql, sourceSituations } from './source-situation.ts'
import { keptDays } from './traffic.ts'

/**
 * Nobody watched while all processes were away: what a source did not send then is not its silence. So whoever comes back after a while
 * begins to watch anew.
 */
const watchSql = (schema: string): string => `
  insert into ${schema}.alert_watch as known (environment, watching_since, evaluated_at)
  values ($1::text, clock_timestamp(), clock_timestamp())
  on conflict (environment) do update
  set evaluated_at = excluded.evaluated_at,
    watching_since = case when known.evaluated_at < excluded.evaluated_at - make_interval(secs => $2::float8)
      then excluded.evaluated_at else known.watching_since end
  returning ${millisecondsSql('evaluated_at')} as at, ${millisecondsSql('watching_since')} as "watchingSince"`

const pruneSql = (schema: string): string => `
  delete from ${schema}.traffic
  using unnest($2::text[]) as given (source)
  where traffic.environment = $1::text and traffic.source = given.source
    and traffic.bucket < ${momentSql('$3')} - interval '${keptDays} days'`

/** Messages of no event go by themselves; the episodes stay. */
const pruneMessagesSql = (schema: string): string => `
  delete from ${schema}.outbox
  where environment = $1::text and receipt_id is null and status = 'published'
    and published_at < ${momentSql('$2')} - interval '${keptDays} days'`

export async function situation(
  database: Database,
  environment: string,
  { sources, quietMinutes, awaySeconds }: SituationQuestion,
): Promise<AlertSituation> {
  const { query, schema } = database
  const [watch] = await query<{ readonly at: number; readonly watchingSince: number }>(watchSql(schema), [
    environment,
    awaySeconds,
  ])
  const { at, watchingSince } = watch ?? { at: 0, watchingSince: 0 }
  await query(pruneSql(schema), [environment, sources, at])
  await query(pruneMessagesSql(schema), [environment, at])
  return {
    at: new Date(at),
    sources: await sourceSituations(database, environment, { at, watchingSince, sources, quietMinutes }),
    lag: await lag(database, environment, at),
    deadLetters: await query(deadSql(schema, 'receipts', 'true'), [environment, at]),
    // What cannot be told must not be told of.
    deadMessages: await query(deadSql(schema, 'outbox', 'receipt_id is not null'), [environment, at]),
    upkeep: await query(lateTasksSql(schema), [environment, at, watchingSince]),
    open: await findEpisodes(database, environment, { isOpen: true, limit: 1000 }),
    mutes: await findMutes(database, environment),
  }
}

/** The oldest come first in the index, so a long backlog costs no more than a short one. */
const lagSql = (schema: string): string => `
  select extract(epoch from ${momentSql('$2')} - min(due_at))::float8 as seconds, count(due_at)::float8 as waiting,
    (array_agg(source order by due_at))[1] as source
  from (
    select source, due_at from ${schema}.queue
    where environment = $1::text and due_at <= ${momentSql('$2')}
    order by due_at
    limit 10000
  ) as due
  having count(due_at) > 0`

async function lag({ query, schema }: Database, environment: string, at: number): Promise<Lag | undefined> {
  const [row] = await query<Lag>(lagSql(schema), [environment, at])
  return row
}

const deadSql = (schema: string, table: 'receipts' | 'outbox', condition: string): string => `
  select source, count(source)::float8 as count
  from (
    select source from ${schema}.${table}
    where environment = $1::text and failed_at is not null and failed_at > ${momentSql('$2')} - interval '15 minutes'
      and ${condition}
    limit 10000
  ) as dead
  group by source
  order by source`

/** One that is done again and again and never through is as late as one that nobody does. */
const lateTasksSql = (schema: string): string => `
  select task, extract(epoch from ${momentSql('$2')} - greatest(least(late_since, next_due_at), ${momentSql('$3')}))::float8 as "lateSeconds"
  from ${schema}.upkeep
  where environment in ('', $1::text) and least(late_since, next_due_at) < ${momentSql('$2')}
  order by task`
