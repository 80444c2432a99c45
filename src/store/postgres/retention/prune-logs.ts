import type { LogStep, PrunedLog, StepResult } from '../../retention-store.ts'
import type { UpkeepLease } from '../../upkeep-store.ts'
import type { Database } from '../database.ts'
import { leaseSql } from '../upkeep.ts'
import { daysAgoSql } from './expressions.ts'
import { type StepRow, toStepResult } from './steps.ts'

/** A table whose rows have no index by age, which would cost every insert. So it is walked in the order of its key. */
type Log = {
  /** Columns and types. */
  readonly key: readonly (readonly [column: string, type: string])[]
  /** What `stays` asks for besides the key. */
  readonly columns: readonly string[]
  readonly time: string
  /** Whether the key grows with the time: then the walk is over where rows are too young. */
  readonly isByAge: boolean
  /** A row of `batch` that is left alone, however old it is. */
  readonly stays: (schema: string) => string
}

const environment = ['environment', 'text'] as const
const source = ['source', 'text'] as const

const eventHasReceipt = (schema: string, more = ''): string => `
      exists (
        select from ${schema}.receipts
        where receipts.environment = batch.environment and receipts.source = batch.source and receipts.event_id = batch.event_id${more}
      )`

const receiptIsThere = (schema: string): string => `
      exists (select from ${schema}.receipts where receipts.id = batch.receipt_id)`

const logs: Readonly<Record<PrunedLog, Log>> = {
  // All of them by their own age, unless they are evidence.
  deliveries: {
    key: [['id', 'bigint']],
    columns: ['environment', 'source', 'event_id'],
    time: 'at',
    isByAge: true,
    stays: (schema) => eventHasReceipt(schema, ' and receipts.held_at is not null'),
  },
  // Their ids begin with a time.
  shadow_calls: {
    key: [
      ['id', 'uuid'],
      ['place', 'int'],
    ],
    columns: ['environment'],
    time: 'started_at',
    isByAge: true,
    stays: () => 'false',
  },
  refusals: {
    key: [environment, source, ['kind', 'text'], ['minute', 'timestamptz']],
    columns: [],
    time: 'minute',
    isByAge: false,
    stays: () => 'false',
  },
  // Those of a receipt go with it. An inline run that was rolled back for good never had one.
  attempts: {
    key: [environment, source, ['event_id', 'text'], ['id', 'bigint']],
    columns: [],
    time: 'ended_at',
    isByAge: false,
    stays: eventHasReceipt,
  },
  effects: {
    key: [environment, ['key', 'text']],
    columns: ['receipt_id'],
    time: 'applied_at',
    isByAge: false,
    stays: receiptIsThere,
  },
  versions: {
    key: [environment, ['key', 'text']],
    columns: ['receipt_id'],
    time: 'updated_at',
    isByAge: false,
    stays: receiptIsThere,
  },
  changes: {
    key: [environment, source, ['handler', 'text'], ['key', 'text']],
    columns: ['receipt_id'],
    time: 'noted_at',
    isByAge: false,
    stays: receiptIsThere,
  },
}

const pruneLogSql = (schema: string, table: PrunedLog): string => {
  const { key, columns, time, isByAge, stays } = logs[table]
  const names = key.map(([name]) => name)
  const after = key.map(([, type], index) => `($4::json ->> ${index})::${type}`)
  const isOwn = isByAge ? 'true' : 'environment = $2::text'
  const backwards = names.map((name) => `${name} desc`).join(', ')
  return `
  with ${leaseSql(schema, '$1')}, batch as materialized (
    select ${[...names, ...columns].join(', ')}, ${time} < ${daysAgoSql('$5::float8')} as is_old
    from ${schema}.${table}
    where exists (select from lease) and ${isOwn} and ($4::json is null or (${names.join(', ')}) > (${after.join(', ')}))
    order by ${names.join(', ')}
    limit $3::int
  ), gone as (
    delete from ${schema}.${table} using batch
    where batch.is_old and batch.environment = $2::text and ${names.map((name) => `${table}.${name} = batch.${name}`).join(' and ')}
      and not ${stays(schema)}
    returning 1
  ), last as (
    select json_build_array(${names.join(', ')})::text as key, is_old from batch order by ${backwards} limit 1
  )
  select (select count(*) from gone)::int as removed, exists (select from lease) as "isHeld",
    case when (select count(*) from batch) = $3::int${isByAge ? ' and (select is_old from last)' : ''} then (select key from last) end as next`
}

export async function pruneLog(
  { query, schema }: Database,
  { fence }: UpkeepLease,
  { table, environment, olderThanDays, after, limit }: LogStep & { readonly table: PrunedLog },
): Promise<StepResult> {
  const values = [fence, environment, limit, after ?? null, olderThanDays]
  return toStepResult(await query<StepRow>(pruneLogSql(schema, table), values))
}
