import type { PruneRunsStep, RunFilter, RunToNote, StoredRun } from '../../automation-store.ts'
import type { UpkeepLease } from '../../upkeep-store.ts'
import { type Database, millisecondsSql } from '../database.ts'
import { leaseSql } from '../upkeep.ts'

const noteSql = (schema: string): string => `
  insert into ${schema}.automation_runs (environment, automation, source, event_id, receipt_id, attempt, outcome, error, took_ms, steps)
  values ($1::text, $2::text, $3::text, $4::text, $5::bigint, $6::int, $7::text, $8::text, $9::float8, $10::text)`

export async function noteRun({ query, schema }: Database, run: RunToNote): Promise<void> {
  const {
    environment,
    automation,
    source,
    eventId,
    receiptId,
    attempt,
    outcome,
    error = null,
    tookMilliseconds,
    steps,
  } = run
  const values = [environment, automation, source, eventId, receiptId, attempt, outcome, error, tookMilliseconds, steps]
  await query(noteSql(schema), values)
}

const columnsSql = `
  id::text as id, environment, automation, source, event_id as "eventId", receipt_id::text as "receiptId", attempt, outcome, error,
  took_ms as "tookMilliseconds", steps, ${millisecondsSql('ended_at')} as "endedAt"`

type Row = Omit<StoredRun, 'endedAt' | 'error'> & { readonly endedAt: number; readonly error: string | null }

const findSql = (schema: string): string => `
  select ${columnsSql}
  from ${schema}.automation_runs
  where environment = $1::text and ($2::text is null or automation = $2::text) and ($3::text is null or outcome = $3::text)
    and ($4::bigint is null or id < $4::bigint)
  order by id desc
  limit $5::int`

export async function findRuns(
  { query, schema }: Database,
  environment: string,
  { automation, outcome, beforeId, limit }: RunFilter,
): Promise<readonly StoredRun[]> {
  const values = [environment, automation ?? null, outcome ?? null, beforeId ?? null, limit]
  return (await query<Row>(findSql(schema), values)).map(toRun)
}

const readSql = (schema: string): string => `
  select ${columnsSql} from ${schema}.automation_runs where environment = $1::text and id = $2::bigint`

export async function readRun(
  { query, schema }: Database,
  environment: string,
  id: string,
): Promise<StoredRun | undefined> {
  const [row] = await query<Row>(readSql(schema), [environment, id])
  return row && toRun(row)
}

/** Ids grow with time, so the oldest come first; the walk is over at the first that is young. */
const pruneSql = (schema: string): string => `
  with ${leaseSql(schema, '$1')}, oldest as (
    select id, ended_at from ${schema}.automation_runs
    where exists (select from lease) and environment = $2::text
    order by id
    limit $4::int
  ), gone as (
    delete from ${schema}.automation_runs as runs using oldest
    where runs.id = oldest.id and oldest.ended_at < clock_timestamp() - make_interval(secs => $3::float8 * 86400)
    returning 1
  )
  select (select count(*) from gone)::int as removed, exists (select from lease) as "isHeld"`

export async function pruneRuns(
  { query, schema }: Database,
  { fence }: UpkeepLease,
  { environment, olderThanDays, limit }: PruneRunsStep,
): Promise<number | 'lease_lost'> {
  type Pruned = { readonly removed: number; readonly isHeld: boolean }
  const [row] = await query<Pruned>(pruneSql(schema), [fence, environment, olderThanDays, limit])
  return row?.isHeld === true ? row.removed : 'lease_lost'
}

function toRun({ endedAt, error, ...run }: Row): StoredRun {
  return { ...run, error: error ?? undefined, endedAt: new Date(endedAt) }
}
