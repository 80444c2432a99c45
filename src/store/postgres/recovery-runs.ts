import { createHash } from 'node:crypto'
import { OncehookError } from '../../errors.ts'
import type {
  HeldRun,
  OpenedRun,
  RecoveryRun,
  RunCounts,
  RunFailure,
  RunFilter,
  RunProgress,
  RunRequest,
} from '../recovery-store.ts'
import { type Database, millisecondsSql, optionalDate } from './database.ts'
import { hexadecimal } from './storable.ts'

/** Without a row in the answer, somebody else has the run and has given a sign of life. */
const openRunSql = (schema: string): string => `
  insert into ${schema}.recoveries as recoveries (environment, source, kind, plan, plan_key, held_by, held_until)
  values ($1::text, $2::text, $3::text, $4::text, decode($5::text, 'hex'), $6::text,
    clock_timestamp() + make_interval(secs => $7::float8))
  on conflict (environment, source, kind, plan_key) where finished_at is null
  do update set held_by = excluded.held_by, held_until = excluded.held_until, updated_at = clock_timestamp()
  where recoveries.held_until <= clock_timestamp()
  returning id::text as id, cursor, counts, failures`

const holderSql = (schema: string): string => `
  select id::text as "runId", held_by as holder,
    greatest(0, ${millisecondsSql('held_until')} - ${millisecondsSql('clock_timestamp()')}) as milliseconds
  from ${schema}.recoveries
  where environment = $1::text and source = $2::text and kind = $3::text and plan_key = decode($4::text, 'hex')
    and finished_at is null`

export async function openRun({ query, schema }: Database, request: RunRequest): Promise<OpenedRun> {
  const { environment, source, kind, plan, holder, holdSeconds } = request
  const key = hexadecimal(createHash('sha256').update(plan).digest())
  const scope = [environment, source, kind]
  for (;;) {
    const values = [...scope, plan, key, holder, holdSeconds]
    const [opened] = await query<ProgressRow & { readonly id: string }>(openRunSql(schema), values)
    if (opened !== undefined) {
      return { kind: 'open', run: { id: opened.id, holder, holdSeconds }, progress: toProgress(opened) }
    }
    const [held] = await query<Omit<Extract<OpenedRun, { kind: 'held' }>, 'kind'>>(holderSql(schema), [...scope, key])
    // It may have been finished in between: then a new one can be begun.
    if (held !== undefined) return { kind: 'held', ...held }
  }
}

type ProgressRow = { readonly cursor: string | null; readonly counts: string; readonly failures: string }

function toProgress({ cursor, counts, failures }: ProgressRow): RunProgress {
  return {
    cursor: cursor ?? undefined,
    counts: JSON.parse(counts) as RunCounts,
    failures: JSON.parse(failures) as RunFailure[],
  }
}

const saveRunSql = (schema: string): string => `
  update ${schema}.recoveries
  set cursor = $3::text, counts = $4::text, failures = $6::text, updated_at = clock_timestamp(),
    held_until = clock_timestamp() + make_interval(secs => $5::float8)
  where id = $1::bigint and held_by = $2::text and finished_at is null
  returning id::text as id`

/** How far a run has come, in the transaction of what was done: neither is ever there without the other. */
export async function saveRun(
  { query, schema }: Pick<Database, 'query' | 'schema'>,
  { id, holder, holdSeconds }: HeldRun,
  { cursor = '', counts, failures = [] }: RunProgress,
): Promise<void> {
  const values = [
    id,
    holder,
    cursor === '' ? null : cursor,
    JSON.stringify(counts),
    holdSeconds,
    JSON.stringify(failures),
  ]
  const rows = await query(saveRunSql(schema), values)
  if (rows.length === 0) throw runLost(id)
}

const finishRunSql = (schema: string): string => `
  update ${schema}.recoveries
  set finished_at = clock_timestamp(), updated_at = clock_timestamp(), held_until = clock_timestamp()
  where id = $1::bigint and held_by = $2::text and finished_at is null
  returning id::text as id`

export async function finishRun({ query, schema }: Database, { id, holder }: HeldRun): Promise<boolean> {
  return (await query(finishRunSql(schema), [id, holder])).length === 1
}

const renewRunSql = (schema: string): string => `
  update ${schema}.recoveries
  set held_until = clock_timestamp() + make_interval(secs => $3::float8), updated_at = clock_timestamp()
  where id = $1::bigint and held_by = $2::text and finished_at is null
  returning id::text as id`

export async function renewRun({ query, schema }: Database, { id, holder, holdSeconds }: HeldRun): Promise<boolean> {
  return (await query(renewRunSql(schema), [id, holder, holdSeconds])).length === 1
}

const releaseRunSql = (schema: string): string => `
  update ${schema}.recoveries set held_until = clock_timestamp() where id = $1::bigint and held_by = $2::text`

export async function releaseRun({ query, schema }: Database, { id, holder }: HeldRun): Promise<void> {
  await query(releaseRunSql(schema), [id, holder])
}

const findRunsSql = (schema: string): string => `
  select id::text as id, kind, source, plan, cursor, counts, failures, ${millisecondsSql('started_at')} as "startedAt",
    ${millisecondsSql('updated_at')} as "updatedAt", ${millisecondsSql('finished_at')} as "finishedAt"
  from ${schema}.recoveries
  where environment = $1::text and ($2::text is null or kind = $2::text) and ($3::text is null or source = $3::text)
    and ($5::boolean is null or (finished_at is not null) = $5::boolean)
  order by recoveries.id desc
  limit $4::int`

type RunRow = Pick<RecoveryRun, 'id' | 'kind' | 'source' | 'plan'> &
  ProgressRow & {
    readonly startedAt: number
    readonly updatedAt: number
    readonly finishedAt: number | null
  }

export async function findRuns(
  { query, schema }: Database,
  environment: string,
  { kind, source, isFinished, limit = 50 }: RunFilter,
): Promise<readonly RecoveryRun[]> {
  const rows = await query<RunRow>(findRunsSql(schema), [
    environment,
    kind ?? null,
    source ?? null,
    limit,
    isFinished ?? null,
  ])
  return rows.map((found) => {
    const { cursor: _, counts, failures, ...row } = found
    return {
      ...row,
      counts: JSON.parse(counts) as RunCounts,
      failures: JSON.parse(failures) as RunFailure[],
      startedAt: new Date(row.startedAt),
      updatedAt: new Date(row.updatedAt),
      finishedAt: optionalDate(row.finishedAt),
    }
  })
}

function runLost(id: string): OncehookError {
  return new OncehookError(
    'ONCEHOOK_RUN_LOST',
    `Run ${id} belongs to another process by now, because this one gave no sign of life for too long. ` +
      'Nothing was lost: the other process goes on with it.',
  )
}
