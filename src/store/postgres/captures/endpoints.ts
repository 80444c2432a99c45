import type { CaptureEndpoint, EndpointToPut } from '../../capture-store.ts'
import { type Database, millisecondsSql, optionalDate } from '../database.ts'
import type { SqlClient } from '../sql-client.ts'
import { optionalText, storableText } from '../storable.ts'

export type EndpointKey = { readonly environment: string; readonly name: string }

/** A few may come to be at the same moment, so that there are some more than allowed; never many. */
const putEndpointSql = (schema: string): string => `
  insert into ${schema}.capture_endpoints as known (environment, name, note, created_by)
  select $1::text, $2::text, coalesce($3::text, ''), $4::text
  where (select count(*) from ${schema}.capture_endpoints where environment = $1::text) < $5::int
    or exists (select from ${schema}.capture_endpoints where environment = $1::text and name = $2::text)
  on conflict (environment, name) do update set note = coalesce($3::text, known.note)
  returning (xmax = 0) as "isNew"`

export async function putEndpoint(
  { query, schema }: Pick<Database, 'query' | 'schema'>,
  { environment, name, note, by }: EndpointToPut,
  mostEndpoints: number,
): Promise<'created' | 'known' | 'full'> {
  const [row] = await query<{ readonly isNew: boolean }>(putEndpointSql(schema), [
    environment,
    name,
    optionalText(note),
    storableText(by),
    mostEndpoints,
  ])
  if (row === undefined) return 'full'
  return row.isNew ? 'created' : 'known'
}

const findEndpointsSql = (schema: string): string => `
  select name, note, created_by as "createdBy", captures, bytes::float8 as bytes, received::float8 as received,
    ${millisecondsSql('created_at')} as "createdAt", ${millisecondsSql('last_at')} as "lastAt"
  from ${schema}.capture_endpoints
  where environment = $1::text
  order by name`

type EndpointRow = Omit<CaptureEndpoint, 'createdAt' | 'lastAt'> & {
  readonly createdAt: number
  readonly lastAt: number | null
}

export async function findEndpoints(
  { query, schema }: Database,
  environment: string,
): Promise<readonly CaptureEndpoint[]> {
  const rows = await query<EndpointRow>(findEndpointsSql(schema), [environment])
  return rows.map((row) => ({ ...row, createdAt: new Date(row.createdAt), lastAt: optionalDate(row.lastAt) }))
}

/** Whoever holds it is alone with the endpoint until the transaction ends. */
export const lockEndpointSql = (schema: string): string => `
  select captures, bytes::float8 as bytes
  from ${schema}.capture_endpoints
  where environment = $1::text and name = $2::text
  for update`

export type LockedEndpoint = { readonly captures: number; readonly bytes: number }

const deleteSql = (schema: string, table: string, column: string): string => `
  delete from ${schema}.${table} where environment = $1::text and ${column} = $2::text`

/** The lock first: a request that comes meanwhile finds either all of it or nothing. */
export async function deleteEndpoint<Tx>(
  client: Pick<SqlClient<Tx>, 'transaction'>,
  { schema }: Database,
  { environment, name }: EndpointKey,
): Promise<boolean> {
  return client.transaction(async ({ query }) => {
    const values = [environment, name]
    const [locked] = await query(lockEndpointSql(schema), values)
    if (locked === undefined) return false
    await query(deleteSql(schema, 'captures', 'endpoint'), values)
    await query(deleteSql(schema, 'capture_rules', 'endpoint'), values)
    await query(deleteSql(schema, 'capture_endpoints', 'name'), values)
    return true
  })
}
