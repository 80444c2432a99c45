import type { UpkeepClaim, UpkeepClaimRequest, UpkeepEnding, UpkeepLease, UpkeepStore } from '../upkeep-store.ts'
import type { Database } from './database.ts'

/** The tasks of upkeep in PostgreSQL. */
export function upkeepStore(database: Database): UpkeepStore {
  return {
    claim: (request) => claim(database, request),
    renewLeases: (leases, leaseSeconds) => renewLeases(database, leases, leaseSeconds),
    finish: (lease, ending) => finish(database, lease, ending),
  }
}

/**
 * True in a statement of a task as long as its lease is held. The lock keeps others from taking the task before that statement has ended,
 * even if the lease runs out meanwhile: they skip what is locked. Renewing does not wait for it.
 */
export const leaseIsHeldSql = (schema: string, fence: string): string => `
  exists (select from ${schema}.upkeep where fence = ${fence} and leased_until > clock_timestamp() for key share)`

/** The same as a CTE, with a row for a statement that asks for it more than once. */
export const leaseSql = (schema: string, fence: string): string => `
  lease as materialized (
    select task, place from ${schema}.upkeep
    where fence = ${fence}::bigint and leased_until > clock_timestamp()
    for key share
  )`

/** By the database's clock alone. What another process is claiming in this moment is locked, and skipped. */
const claimSql = (schema: string): string => `
  with wanted as (
    select environment, task, first_seconds
    from unnest($1::text[], $2::text[], $3::float8[]) as wanted (environment, task, first_seconds)
  ), registered as (
    insert into ${schema}.upkeep (environment, task, next_due_at)
    select environment, task, clock_timestamp() + make_interval(secs => first_seconds) from wanted order by environment, task
    on conflict (environment, task) do nothing
    returning next_due_at
  ), due as (
    select upkeep.environment, upkeep.task
    from ${schema}.upkeep join wanted using (environment, task)
    where (upkeep.next_due_at <= clock_timestamp() or $6::boolean)
      and (upkeep.leased_until is null or upkeep.leased_until <= clock_timestamp())
    order by upkeep.next_due_at, upkeep.task
    limit 1
    for update of upkeep skip locked
  ), claimed as (
    update ${schema}.upkeep
    set fence = nextval('${schema}.fences'), leased_by = $4::text, started_at = clock_timestamp(),
      leased_until = clock_timestamp() + make_interval(secs => $5::float8)
    from due
    where upkeep.environment = due.environment and upkeep.task = due.task
    returning upkeep.environment, upkeep.task, upkeep.fence
  ), next as (
    select greatest(upkeep.next_due_at, upkeep.leased_until) as at
    from ${schema}.upkeep join wanted using (environment, task)
    union all
    select next_due_at from registered
  )
  select claimed.environment, claimed.task, claimed.fence::text as fence,
    (select greatest(0, extract(epoch from min(at) - clock_timestamp()) * 1000)::float8 from next) as milliseconds
  from (select) as always left join claimed on true`

type ClaimRow = {
  readonly environment: string | null
  readonly task: string | null
  readonly fence: string | null
  readonly milliseconds: number
}

async function claim(
  { query, schema }: Database,
  { tasks, worker, leaseSeconds, isDueNow = false }: UpkeepClaimRequest,
): Promise<UpkeepClaim> {
  const [row] = await query<ClaimRow>(claimSql(schema), [
    tasks.map(({ environment }) => environment ?? ''),
    tasks.map(({ name }) => name),
    tasks.map(({ firstInSeconds }) => firstInSeconds),
    worker,
    leaseSeconds,
    isDueNow,
  ])
  if (row?.task == null || row.fence === null)
    return { kind: 'nothing_due', millisecondsUntilDue: Math.ceil(row?.milliseconds ?? 0) }
  return {
    kind: 'claimed',
    lease: {
      environment: row.environment === '' ? undefined : (row.environment ?? undefined),
      task: row.task,
      fence: row.fence,
    },
  }
}

const renewLeasesSql = (schema: string): string => `
  update ${schema}.upkeep
  set leased_until = clock_timestamp() + make_interval(secs => $2::float8)
  where fence = any ($1::bigint[]) and leased_until is not null
  returning fence::text as fence`

async function renewLeases(
  { query, schema }: Database,
  leases: readonly UpkeepLease[],
  leaseSeconds: number,
): Promise<readonly string[]> {
  if (leases.length === 0) return []
  const fences = leases.map(({ fence }) => fence)
  const rows = await query<{ readonly fence: string }>(renewLeasesSql(schema), [fences, leaseSeconds])
  return rows.map(({ fence }) => fence)
}

/** The fence in the condition: a process that paused past its lease changes nothing. */
const finishSql = (schema: string): string => `
  update ${schema}.upkeep
  set next_due_at = clock_timestamp() + make_interval(secs => $2::float8), leased_until = null, leased_by = null,
    ended_at = clock_timestamp(), outcome = $3::text, detail = $4::text,
    late_since = case when $3::text = 'done' then null else coalesce(late_since, started_at) end
  where fence = $1::bigint and leased_until is not null
  returning task`

async function finish(
  { query, schema }: Database,
  { fence }: UpkeepLease,
  { outcome, detail, nextInSeconds }: UpkeepEnding,
): Promise<boolean> {
  return (await query(finishSql(schema), [fence, nextInSeconds, outcome, detail ?? null])).length === 1
}
