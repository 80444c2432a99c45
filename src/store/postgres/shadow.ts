import type { NewReceipt } from '../../receipt/receipt.ts'
import type {
  AcceptedForgery,
  NotedCall,
  ShadowCount,
  ShadowedEvent,
  ShadowQuestion,
  ShadowScope,
  ShadowStore,
} from '../shadow-store.ts'
import { type Database, millisecondsSql, optionalDate } from './database.ts'
import { recordReceipts } from './record-receipts.ts'
import type { SqlClient } from './sql-client.ts'
import { optionalText, storableText } from './storable.ts'

/** What is seen of a handler that is not ours, in PostgreSQL. */
export function shadowStore<Tx>(client: Pick<SqlClient<Tx>, 'transaction'>, database: Database): ShadowStore {
  return {
    now: () => now(database),
    noteCalls: (calls) => noteCalls(database, calls),
    recordProcessed: (receipts) => recordProcessed(client, database, receipts),
    readEvents: (question) => readEvents(database, question),
    countDeliveries: (scope) => countDeliveries(database, scope),
    findAcceptedForgeries: (scope, limit) => findAcceptedForgeries(database, scope, limit),
  }
}

const nowSql = `select ${millisecondsSql('clock_timestamp()')} as now`

async function now({ query }: Database): Promise<Date> {
  const [row] = await query<{ readonly now: number }>(nowSql)
  return new Date(row?.now ?? Number.NaN)
}

/** A call that was noted when it began: only its end is new. */
const noteCallsSql = (schema: string): string => `
  insert into ${schema}.shadow_calls as known
    (id, place, environment, source, event_id, type, verdict, reason, worker, started_at, ended_at, ending, status, deliveries)
  select id, place, environment, source, event_id, type, verdict, reason, worker, started_at, ended_at, ending, status, deliveries
  from unnest(
    $1::uuid[], $2::int[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::timestamptz[],
    $11::timestamptz[], $12::text[], $13::smallint[], $14::int[]
  ) as given (
    id, place, environment, source, event_id, type, verdict, reason, worker, started_at, ended_at, ending, status, deliveries
  )
  order by id, place
  on conflict (id, place) do update
  set ended_at = excluded.ended_at, ending = excluded.ending, status = excluded.status
  where known.ended_at is null and excluded.ended_at is not null`

async function noteCalls({ query, schema }: Database, calls: readonly NotedCall[]): Promise<void> {
  if (calls.length === 0) return
  await query(noteCallsSql(schema), [
    calls.map(({ id }) => id),
    calls.map(({ place }) => place),
    calls.map(({ environment }) => environment),
    calls.map(({ source }) => source),
    calls.map(({ eventId }) => optionalText(eventId)),
    calls.map(({ type }) => optionalText(type)),
    calls.map(({ verdict }) => verdict),
    calls.map(({ reason }) => optionalText(reason)),
    calls.map(({ worker }) => storableText(worker)),
    calls.map(({ startedAt }) => startedAt.toISOString()),
    calls.map(({ ended }) => ended?.at.toISOString() ?? null),
    calls.map(({ ended }) => ended?.ending ?? null),
    calls.map(({ ended }) => ended?.status ?? null),
    calls.map(({ deliveries }) => deliveries),
  ])
}

const markSql = (schema: string): string => `
  update ${schema}.receipts
  set origin = 'shadow', status = 'processed', processed_at = clock_timestamp()
  where id = any ($1::text[]::bigint[])`

/** Recorded as something that nobody here has to do, and marked in the same transaction as done elsewhere. */
async function recordProcessed<Tx>(
  client: Pick<SqlClient<Tx>, 'transaction'>,
  database: Database,
  receipts: readonly NewReceipt[],
): Promise<readonly NewReceipt[]> {
  if (receipts.length === 0) return []
  return client.transaction(async ({ query, call }) => {
    await query("select set_config('lock_timeout', '1s', true)")
    const answers = await recordReceipts({ ...database, query, call }, receipts)
    const first = answers.flatMap((answer) => (answer.kind === 'first' ? [answer.receiptId] : []))
    if (first.length > 0) await query(markSql(database.schema), [first])
    return receipts.filter((_receipt, place) => answers[place]?.kind === 'busy')
  })
}

const scopeSql = 'environment = $1::text and source = $2::text and started_at >= $3::timestamptz'

function scopeValues({ environment, source, since }: ShadowScope): readonly unknown[] {
  return [environment, source, since.toISOString()]
}

const readEventsSql = (schema: string): string => `
  with chosen as (
    select distinct event_id
    from ${schema}.shadow_calls
    where ${scopeSql} and event_id > $4::text and verdict = 'authentic'
    order by event_id
    limit $5::int
  )
  select chosen.event_id as "eventId", max(calls.type) as type, json_agg(
    json_build_object(
      'startedAt', ${millisecondsSql('calls.started_at')}, 'endedAt', ${millisecondsSql('calls.ended_at')},
      'ending', calls.ending, 'status', calls.status, 'worker', calls.worker
    ) order by calls.started_at, calls.id, calls.place
  )::text as calls
  from chosen
  join ${schema}.shadow_calls as calls
    on calls.environment = $1::text and calls.source = $2::text and calls.event_id = chosen.event_id
  where calls.started_at >= $3::timestamptz and calls.verdict = 'authentic'
  group by chosen.event_id
  order by chosen.event_id`

type CallRow = {
  readonly startedAt: number
  readonly endedAt: number | null
  readonly ending: ShadowedEvent['calls'][number]['ending'] | null
  readonly status: number | null
  readonly worker: string
}

async function readEvents({ query, schema }: Database, question: ShadowQuestion): Promise<readonly ShadowedEvent[]> {
  const values = [...scopeValues(question), question.after ?? '', question.limit]
  const rows = await query<{ eventId: string; type: string | null; calls: string }>(readEventsSql(schema), values)
  return rows.map(({ eventId, type, calls }) => ({
    eventId,
    type: type ?? '',
    calls: (JSON.parse(calls) as readonly CallRow[]).map((call) => ({
      startedAt: new Date(call.startedAt),
      endedAt: optionalDate(call.endedAt),
      ending: call.ending ?? undefined,
      status: call.status ?? undefined,
      worker: call.worker,
    })),
  }))
}

const isAcceptedSql = "coalesce(ending = 'answered' and status between 200 and 299, false)"

/** A delivery of several events has several rows, of which the first stands for it. */
const countDeliveriesSql = (schema: string): string => `
  select verdict, ${isAcceptedSql} as "isAccepted", sum(deliveries)::int as deliveries
  from ${schema}.shadow_calls
  where ${scopeSql} and place = 0
  group by 1, 2
  order by 1, 2`

function countDeliveries({ query, schema }: Database, scope: ShadowScope): Promise<readonly ShadowCount[]> {
  return query<ShadowCount>(countDeliveriesSql(schema), scopeValues(scope))
}

const findForgeriesSql = (schema: string): string => `
  select ${millisecondsSql('started_at')} as at, coalesce(reason, '') as reason, status::int as status, worker
  from ${schema}.shadow_calls
  where ${scopeSql} and event_id is null and verdict = 'forged' and ${isAcceptedSql}
  order by started_at desc, id
  limit $4::int`

async function findAcceptedForgeries(
  { query, schema }: Database,
  scope: ShadowScope,
  limit: number,
): Promise<readonly AcceptedForgery[]> {
  const rows = await query<Omit<AcceptedForgery, 'at'> & { readonly at: number }>(findForgeriesSql(schema), [
    ...scopeValues(scope),
    limit,
  ])
  return rows.map((row) => ({ ...row, at: new Date(row.at) }))
}
