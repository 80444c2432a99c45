import { invalidOptions } from '../../errors.ts'
import type { ImportBatch, ImportedBatch, ImportStep } from '../recovery-store.ts'
import { saveRun } from './recovery-runs.ts'
import type { SqlClient, SqlQuery } from './sql-client.ts'
import { sqlState } from './sql-errors.ts'

/** What is imported has no body, so it refers to one that never was. */
const noBody = '00000000-0000-0000-0000-000000000000'

/**
 * Two rows of the table may be of one event: the first that was processed counts. The key is named with its table, because what is selected
 * here has names too, which may be the same.
 */
const chosenSql = (batch: ImportBatch, keys: string): string => {
  const { table, where } = batch
  const { processedAtSql = 'now()', statusSql, objectIdSql = 'null', typeSql = 'null' } = table
  const isDone = [
    ...(statusSql === undefined ? [] : [`coalesce(${statusSql} = any ($5::text[]), false)`]),
    ...(table.processedAtSql === undefined ? [] : [`${table.processedAtSql} is not null`]),
  ]
  return `
  with batch as (
    select ${keys}, ${table.eventIdSql} as event_id, left(coalesce(nullif(${typeSql}, ''), $3::text), 255) as type,
      left(nullif(${objectIdSql}, ''), 512) as object_id, ${processedAtSql} as processed_at,
      ${statusSql ?? 'null'}::text as status, ${isDone.length === 0 ? 'true' : isDone.join(' and ')} as is_done
    from ${table.tableSql}
    where $5::text[] is not null and ${afterCursor(batch)}${where === undefined ? '' : ` and (${where}\n)`}
    order by ${table.key.map(({ columnSql }) => `${table.tableSql}.${columnSql}`).join(', ')}
    limit $6::int
  ), chosen as (
    select distinct on (event_id) event_id, type, object_id, processed_at, status, is_done
    from batch
    where event_id is not null and (is_done or $4::boolean)
    order by event_id, is_done desc, processed_at
  )`
}

const importSql = (schema: string, batch: ImportBatch, keys: string): string => `
  ${chosenSql(batch, keys)}, recorded as (
    insert into ${schema}.receipts (
      environment, source, event_id, type, object_id, status, processed_at, failed_at, last_error,
      body_hash, body_id, origin
    )
    select $1::text, $2::text, event_id, type, object_id,
      case when is_done then 'processed' else 'failed' end, case when is_done then processed_at end,
      case when not is_done then now() end,
      case when not is_done then 'Imported without a body: its status was ' || coalesce(status, 'not given') || '.' end,
      '', '${noBody}', 'import'
    from chosen
    order by event_id
    on conflict (environment, source, event_id) do nothing
    returning status
  )
  ${countsSql('recorded', "status = 'processed'", batch)}`

const previewSql = (schema: string, batch: ImportBatch, keys: string): string => `
  ${chosenSql(batch, keys)}, recorded as (
    select is_done from chosen
    where not exists (
      select from ${schema}.receipts
      where receipts.environment = $1::text and receipts.source = $2::text and receipts.event_id = chosen.event_id
    )
  )
  ${countsSql('recorded', 'is_done', batch)}`

const countsSql = (recorded: string, isProcessed: string, { table }: ImportBatch): string => `
  select (select count(*) from batch)::int as rows, (select count(*) from batch where event_id is null)::int as "withoutId",
    (select count(*) from batch where event_id is not null and not (is_done or $4::boolean))::int as "leftOut",
    (select count(*) from ${recorded} where ${isProcessed})::int as imported,
    (select count(*) from ${recorded} where not (${isProcessed}))::int as "deadLetters",
    (
      select json_build_array(${table.key.map((_, index) => `key_${index}::text`).join(', ')})::text
      from batch
      order by ${table.key.map((_, index) => `key_${index} desc`).join(', ')}
      limit 1
    ) as cursor`

type BatchRow = Omit<ImportedBatch, 'cursor' | 'known'> & { readonly cursor: string | null }

/** Takes over the next rows and notes how far it came. Reading takes no lock that anybody would wait for. */
export async function importRows<Tx>(
  client: Pick<SqlClient<Tx>, 'transaction'>,
  schema: string,
  { batch, run, counts }: ImportStep,
): Promise<ImportedBatch> {
  return client.transaction(async ({ query }) => {
    const imported = await sendBatch(query, batch, importSql(schema, batch, keysOf(batch)))
    const { cursor = batch.cursor, ...added } = imported
    const sums = Object.entries(added).map(([name, count]) => [name, (counts[name] ?? 0) + count] as const)
    await saveRun({ query, schema }, run, { cursor, counts: { ...counts, ...Object.fromEntries(sums) } })
    return imported
  })
}

/** Counts what an import would do with the next rows, and changes nothing. */
export function previewImport(query: SqlQuery, schema: string, batch: ImportBatch): Promise<ImportedBatch> {
  return sendBatch(query, batch, previewSql(schema, batch, keysOf(batch)))
}

async function sendBatch(query: SqlQuery, batch: ImportBatch, text: string): Promise<ImportedBatch> {
  const { environment, source, defaultType, others, processedStatuses = [], limit, cursor } = batch
  const values = [environment, source, defaultType, others === 'dead_letter', [...processedStatuses], limit]
  const [row] = await query<BatchRow>(text, [...values, ...cursorValues(cursor)]).catch((error: unknown) => {
    throw explained(error, batch)
  })
  const counts = row ?? { rows: 0, withoutId: 0, leftOut: 0, imported: 0, deadLetters: 0, cursor: null }
  const { rows, withoutId, leftOut, imported, deadLetters } = counts
  const known = rows - withoutId - leftOut - imported - deadLetters
  return { rows, withoutId, leftOut, imported, deadLetters, known, cursor: counts.cursor ?? undefined }
}

function keysOf({ table }: ImportBatch): string {
  return table.key.map(({ columnSql }, index) => `${columnSql} as key_${index}`).join(', ')
}

function afterCursor({ table, cursor }: ImportBatch): string {
  if (cursor === undefined) return 'true'
  const columns = table.key.map(({ columnSql }) => columnSql).join(', ')
  const values = table.key.map(({ type }, index) => `$${index + 7}::text::${type}`).join(', ')
  return `(${columns}) > (${values})`
}

function cursorValues(cursor: string | undefined): readonly string[] {
  return cursor === undefined ? [] : (JSON.parse(cursor) as string[])
}

/** Our tables are known to be there by now: what the database does not understand is the user's condition, or data of the table. */
function explained(error: unknown, { table, where }: ImportBatch): unknown {
  const state = sqlState(error) ?? ''
  const isUsers = where !== undefined && /^(42|22)/.test(state)
  const reason = error instanceof Error ? error.message : String(error)
  if (isUsers) return invalidOptions('The import', [`where is not understood (${reason}): ${JSON.stringify(where)}.`])
  if (state === '42501')
    return invalidOptions('The import', [`${table.name} may not be read by this user (${reason}).`])
  return error
}
