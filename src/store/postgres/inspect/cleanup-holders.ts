import type { CleanupHolder } from '../../inspection.ts'
import type { Database } from '../database.ts'

const mostOfAKind = 5

/** Transactions of this database that have a snapshot or have written, oldest first. Our own is a moment old. */
const transactionsSql = `
  select pid as "processId", usename::text as "user", application_name as application, state,
    extract(epoch from clock_timestamp() - xact_start)::float8 as seconds
  from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid() and xact_start is not null
    and (backend_xmin is not null or backend_xid is not null)
  order by xact_start
  limit ${mostOfAKind}`

const preparedSql = `
  select gid as name, owner::text as "user", extract(epoch from clock_timestamp() - prepared)::float8 as seconds
  from pg_prepared_xacts
  where database = current_database()
  order by prepared
  limit ${mostOfAKind}`

/** The server keeps its log for them until somebody reads it, or the disk is full. */
const slotsSql = `
  select slot_name::text as name,
    coalesce(pg_wal_lsn_diff(
      case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end, restart_lsn
    ), 0)::float8 as "retainedBytes"
  from pg_replication_slots
  where not active
  order by restart_lsn
  limit ${mostOfAKind}`

type Of<Kind extends CleanupHolder['kind']> = Omit<Extract<CleanupHolder, { kind: Kind }>, 'kind'>

export async function cleanupHolders({ query }: Database): Promise<readonly CleanupHolder[]> {
  const transactions = await query<Of<'transaction'>>(transactionsSql)
  const prepared = await query<Of<'prepared_transaction'>>(preparedSql)
  const slots = await query<Of<'replication_slot'>>(slotsSql)
  return [
    ...transactions.map((row) => ({ kind: 'transaction' as const, ...row })),
    ...prepared.map((row) => ({ kind: 'prepared_transaction' as const, ...row })),
    ...slots.map((row) => ({ kind: 'replication_slot' as const, ...row })),
  ]
}
