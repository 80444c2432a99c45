import { createHash } from 'node:crypto'
import { OncehookError } from '../../errors.ts'
import type { HeldRun, OpenedRun, RecoveryRun, RunCounts, RunFilter, RunRequest } from '../recovery-store.ts'
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
  returning id::text as id, cursor, counts`

const holderSql = (schema: string): string => `
  select id::text as id, held_by as holder,
    greatest(0, ${millisecondsSql('held_until')} - ${millisecondsSql('clock_timestamp()')}) as milliseconds
  from ${schema}.recoveries
  where environment = $1::text and source = $2::text and kind = $3::text and plan_key = decode($4::text, 'hex')
    and finished_at is null`

export async function openRun({ query, schema }: Database, request: RunRequest): Promise<OpenedRun> {
  const { environment, source, kind, plan, holder, holdSeconds } = request
  const key = hexadecimal(createHash('sha256').update(plan).digest())
  const scope = [environment, source, kind]
  for (;;) {
    const [opened] = await query<{ readonly id: string; readonly cursor: string | null; readonly counts: string }>(
      openRunSql(schema),
      [...scope, plan, key, holder, holdSeconds],
    )
    if (opened !== undefined) {
      const { id, cursor, counts } = opened
      const run = { id, holder, holdSeconds }
      return { kind: 'open', run, cursor: cursor ?? undefined, counts: JSON.parse(counts) as RunCounts }
    }
    const [held] = await query<{ readonly id: string; readonly holder: string; readonly milliseconds: number }>(
      holderSql(schema),
      [...scope, key],
    )
    // It may have been finished in between: then a new one can be begun.
    if (held !== undefined) return { kind: 'held', runId: held.id, ...pick(held) }
  }
}

function pick({ holder, milliseconds }: { readonly holder: string; readonly milliseconds: number }): {
  readonly holder: string
  readonly milliseconds: number
} {
  return { holder, milliseconds }
}

const saveRunSql = (schema: string): string => `
  update ${schema}.recoveries
  set cursor = $3::text, counts = $4::text, updated_at = clock_timestamp(),
    held_until = clock_timestamp() + make_interval(secs => $5::float8)
  where id = $1::bigint and held_by = $2::text and finished_at is null
  returning id::text as id`

/** How far a run has come, in the transaction of what was done: neither is ever there without the other. */
export async function saveRun(
  { query, schema }: Pick<Database, 'query' | 'schema'>,
  { id, holder, holdSeconds }: HeldRun,
  progress: { readonly cursor: string | undefined; readonly counts: RunCounts },
): Promise<void> {
  const { cursor = null, counts } = progress
  const rows = await query(saveRunSql(schema), [id, holder, cursor, JSON.stringify(counts), holdSeconds])
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

const releaseRunSql = (schema: string): string => `
  update ${schema}.recoveries set held_until = clock_timestamp() where id = $1::bigint and held_by = $2::text`

export async function releaseRun({ query, schema }: Database, { id, holder }: HeldRun): Promise<void> {
  await query(releaseRunSql(schema), [id, holder])
}

const findRunsSql = (schema: string): string => `
  select id::text as id, kind, source, plan, counts, ${millisecondsSql('started_at')} as "startedAt",
    ${millisecondsSql('updated_at')} as "updatedAt", ${millisecondsSql('finished_at')} as "finishedAt"
  from ${schema}.recoveries
  where environment = $1::text and ($2::text is null or kind = $2::text) and ($3::text is null or source = $3::text)
  order by recoveries.id desc
  limit $4::int`

type RunRow = Pick<RecoveryRun, 'id' | 'kind' | 'source' | 'plan'> & {
  readonly counts: string
  readonly startedAt: number
  readonly updatedAt: number
  readonly finishedAt: number | null
}

export async function findRuns(
  { query, schema }: Database,
  environment: string,
  { kind, source, limit = 50 }: RunFilter,
): Promise<readonly RecoveryRun[]> {
  const rows = await query<RunRow>(findRunsSql(schema), [environment, kind ?? null, source ?? null, limit])
  return rows.map((row) => ({
    ...row,
    counts: JSON.parse(row.counts) as RunCounts,
    startedAt: new Date(row.startedAt),
    updatedAt: new Date(row.updatedAt),
    finishedAt: optionalDate(row.finishedAt),
  }))
}

function runLost(id: string): OncehookError {
  return new OncehookError(
    'ONCEHOOK_RUN_LOST',
    `Run ${id} belongs to another process by now, because this one gave no sign of life for too long. ` +
      'Nothing was lost: the other process goes on with it.',
  )
}
