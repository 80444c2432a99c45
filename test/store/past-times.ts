import type { UpkeepLease } from '../../src/store/upkeep-store.ts'
import type { StoreUnderTest } from './store-under-test.ts'

/** Makes receipts and all that has a time of its own older than they are. Bodies move to the partition of their new day, if there is one. */
export async function age<Tx>({ query, schema }: StoreUnderTest<Tx>, days: number, condition = 'true'): Promise<void> {
  const ids = `select id from "${schema}".receipts where ${condition}`
  await query(
    `update "${schema}".bodies set stored_on = stored_on - $1::int
     where id in (select body_id from "${schema}".receipts where ${condition})`,
    [days],
  )
  await query(
    `update "${schema}".receipts set received_at = received_at - make_interval(days => $1::int) where id in (${ids})`,
    [days],
  )
}

/** Makes the partition of a day that is so many days ago. Answers with the day. */
export async function makePastDay<Tx>({ query, schema }: StoreUnderTest<Tx>, daysAgo: number): Promise<string> {
  const [row] = await query<{ readonly day: string; readonly next: string; readonly name: string }>(
    `select to_char(day, 'YYYY-MM-DD') as day, to_char(day + 1, 'YYYY-MM-DD') as next, 'bodies_' || to_char(day, 'YYYYMMDD') as name
     from (select (now() at time zone 'UTC')::date - $1::int as day) as past`,
    [daysAgo],
  )
  if (row === undefined) throw new Error('There is no day.')
  await query(
    `create table "${schema}".${row.name} partition of "${schema}".bodies for values from ('${row.day}') to ('${row.next}')`,
  )
  return row.day
}

/** The day partitions that are there. */
export async function bodyDays<Tx>({ query, schema }: StoreUnderTest<Tx>): Promise<readonly string[]> {
  const rows = await query<{ readonly day: string }>(
    `select to_char(to_date(right(relname, 8), 'YYYYMMDD'), 'YYYY-MM-DD') as day
     from pg_inherits join pg_class on pg_class.oid = inhrelid
     where inhparent = '"${schema}".bodies'::regclass and relname ~ '[0-9]{8}$' order by 1`,
  )
  return rows.map(({ day }) => day)
}

/** Holds a task, which is due at once. */
export async function leaseTask<Tx>(
  { store, query, schema }: StoreUnderTest<Tx>,
  { environment = 'test', name = 'ledger' }: { readonly environment?: string; readonly name?: string } = {},
): Promise<UpkeepLease> {
  await query(
    `insert into "${schema}".upkeep (environment, task, next_due_at) values ($1, $2, clock_timestamp())
     on conflict (environment, task) do update set next_due_at = clock_timestamp(), leased_until = null`,
    [environment, name],
  )
  const known = { environment: environment === '' ? undefined : environment, name, firstInSeconds: 0 }
  const claim = await store.upkeep.claim({ tasks: [known], worker: 'process-1', leaseSeconds: 60 })
  if (claim.kind !== 'claimed') throw new Error('The task was not claimed.')
  return claim.lease
}
