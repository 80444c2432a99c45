import type {
  AdminChange,
  AdminChangeEnding,
  AdminLogEntry,
  AdminLogFilter,
  AdminLogStore,
} from '../../admin-log-store.ts'
import { type Database, millisecondsSql } from '../database.ts'
import { isReceiptId } from '../receipt-filter.ts'
import { optionalText, storableText } from '../storable.ts'

export function adminLogStore(database: Database): AdminLogStore {
  return {
    begin: (environment, change) => begin(database, environment, change),
    end: (environment, id, ending) => end(database, environment, { id, ...ending }),
    find: (environment, filter) => find(database, environment, filter),
  }
}

const beginSql = (schema: string): string => `
  insert into ${schema}.admin_log (environment, "by", role, action, target, why)
  values ($1::text, $2::text, $3::text, $4::text, $5::text, $6::text)
  returning id::text as id`

async function begin({ query, schema }: Database, environment: string, change: AdminChange): Promise<string> {
  const { by, role, action, target, why } = change
  const values = [environment, storableText(by), role, action, storableText(target), optionalText(why)]
  const [row] = await query<{ readonly id: string }>(beginSql(schema), values)
  if (row === undefined) throw new TypeError('The database did not answer with the line of the audit log.')
  return row.id
}

/** A line ends once. */
const endSql = (schema: string): string => `
  update ${schema}.admin_log
  set outcome = $3::text, detail = $4::text
  where environment = $1::text and id = $2::bigint and outcome = 'begun'`

async function end(
  { query, schema }: Database,
  environment: string,
  { id, outcome, detail }: AdminChangeEnding & { readonly id: string },
): Promise<void> {
  await query(endSql(schema), [environment, id, outcome, detail ?? null])
}

const findSql = (schema: string): string => `
  select id::text as id, ${millisecondsSql('at')} as at, "by", role, action, target, why, outcome, detail
  from ${schema}.admin_log
  where environment = $1::text and ($2::bigint is null or id < $2::bigint) and ($3::text is null or "by" = $3::text)
    and ($4::text is null or action = $4::text)
  order by id desc
  limit $5::bigint`

type Row = Omit<AdminLogEntry, 'at' | 'why' | 'detail'> & {
  readonly at: number
  readonly why: string | null
  readonly detail: string | null
}

async function find(
  { query, schema }: Database,
  environment: string,
  { beforeId, by, action, limit = 50 }: AdminLogFilter,
): Promise<readonly AdminLogEntry[]> {
  if (beforeId !== undefined && !isReceiptId(beforeId)) return []
  const values = [environment, beforeId ?? null, optionalText(by), optionalText(action), limit]
  const rows = await query<Row>(findSql(schema), values)
  return rows.map((row) => ({
    ...row,
    at: new Date(row.at),
    why: row.why ?? undefined,
    detail: row.detail ?? undefined,
  }))
}
