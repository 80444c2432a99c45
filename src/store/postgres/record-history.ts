import type { NewReceipt } from '../../receipt/receipt.ts'
import type { HistoryStep, RecordedHistory } from '../recovery-store.ts'
import type { Database } from './database.ts'
import { recordReceipts } from './record-receipts.ts'
import { saveRun } from './recovery-runs.ts'
import type { SqlClient } from './sql-client.ts'
import { sqlState } from './sql-errors.ts'
import { storableTime } from './storable.ts'

const knownEventsSql = (schema: string): string => `
  select event_id as "eventId"
  from ${schema}.receipts
  where environment = $1::text and source = $2::text and event_id = any ($3::text[])`

/** By the unique key, one look-up for each: as a join it would be planned as if a source had few events, and read them all. */
export async function knownEvents(
  { query, schema }: Database,
  environment: string,
  { source, eventIds }: { readonly source: string; readonly eventIds: readonly string[] },
): Promise<readonly string[]> {
  if (eventIds.length === 0) return []
  const rows = await query<{ readonly eventId: string }>(knownEventsSql(schema), [environment, source, [...eventIds]])
  return rows.map(({ eventId }) => eventId)
}

const coveredObjectsSql = (schema: string): string => `
  select (given.number - 1)::int as number
  from unnest($3::text[], $4::timestamptz[]) with ordinality as given (object_id, since, number)
  where exists (
    select from ${schema}.receipts
    where receipts.environment = $1::text and receipts.object_id = given.object_id and receipts.source = $2::text
      and receipts.occurred_at >= given.since
  )`

export async function coveredObjects(
  { query, schema }: Database,
  environment: string,
  {
    source,
    objects,
  }: { readonly source: string; readonly objects: readonly { readonly id: string; readonly since: Date }[] },
): Promise<readonly number[]> {
  if (objects.length === 0) return []
  const rows = await query<{ readonly number: number }>(coveredObjectsSql(schema), [
    environment,
    source,
    objects.map(({ id }) => id),
    objects.map(({ since }) => storableTime(since)),
  ])
  return rows.map(({ number }) => number)
}

/**
 * The provider's API does not say how the webhook looked byte by byte, so its hash is not kept: a webhook that comes later is a duplicate,
 * and not one with a changed body.
 */
const markSql = (schema: string): string => `
  update ${schema}.receipts
  set origin = 'backfill', body_hash = ''
  where id = any ($1::text[]::bigint[])`

/**
 * A handler that runs inline holds its event until it commits. Deliveries that are recorded at this moment may wait for us, so we do not
 * wait for it.
 */
const brieflySql = `select set_config('lock_timeout', '250ms', true)`

export async function recordHistory<Tx>(
  client: Pick<SqlClient<Tx>, 'transaction'>,
  shared: Omit<Database, 'query'>,
  step: HistoryStep,
): Promise<RecordedHistory> {
  const { receipts, progress } = step
  try {
    return await client.transaction(async ({ query, call }) => {
      const database = { ...shared, query, call }
      await query(brieflySql)
      const answers = await recordReceipts(database, receipts)
      const first = answers.flatMap((answer) => (answer.kind === 'first' ? [answer.receiptId] : []))
      await query(markSql(shared.schema), [first])
      const done = { recorded: first.length, known: receipts.length - first.length }
      await saveRun(database, step.run, { ...progress, counts: sumOf(progress.counts, done) })
      return { ...done, busy: [] }
    })
  } catch (error) {
    if (sqlState(error) !== lockNotAvailable || receipts.length === 0) throw error
    if (receipts.length === 1) return { recorded: 0, known: 0, busy: receipts }
  }
  // One of them is being run. To find it, they are recorded by halves.
  const middle = Math.floor(receipts.length / 2)
  const one = await recordHistory(client, shared, { ...step, receipts: receipts.slice(0, middle) })
  const counts = sumOf(progress.counts, one)
  const rest = { ...step, receipts: receipts.slice(middle), progress: { ...progress, counts } }
  const other = await recordHistory(client, shared, rest)
  return {
    recorded: one.recorded + other.recorded,
    known: one.known + other.known,
    busy: [...one.busy, ...other.busy] satisfies readonly NewReceipt[],
  }
}

const lockNotAvailable = '55P03'

function sumOf(
  counts: HistoryStep['progress']['counts'],
  { recorded, known }: Pick<RecordedHistory, 'recorded' | 'known'>,
): HistoryStep['progress']['counts'] {
  return { ...counts, recorded: (counts['recorded'] ?? 0) + recorded, known: (counts['known'] ?? 0) + known }
}

const queuedEventsSql = (schema: string): string => `
  select count(*)::int as count
  from (
    select from ${schema}.queue where environment = $1::text and source = $2::text limit $3::int
  ) as queued`

export async function queuedEvents(
  { query, schema }: Database,
  environment: string,
  { source, atMost }: { readonly source: string; readonly atMost: number },
): Promise<number> {
  const [row] = await query<{ readonly count: number }>(queuedEventsSql(schema), [environment, source, atMost])
  return row?.count ?? 0
}
