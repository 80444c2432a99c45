import type { AdminSession, AdminSessionStore, NewAdminSession } from '../../admin-session-store.ts'
import { type Database, millisecondsSql } from '../database.ts'
import { hexadecimal, storableText } from '../storable.ts'

export function adminSessionStore(database: Database): AdminSessionStore {
  return {
    open: (environment, session) => open(database, environment, session),
    find: (environment, digest) => find(database, environment, digest),
    close: (environment, digest) => close(database, environment, digest),
  }
}

/** There are as many sessions as people, so those that have ended are found by looking at all. */
const openSql = (schema: string): string => `
  with ended as (
    delete from ${schema}.admin_sessions where ends_at < clock_timestamp()
  )
  insert into ${schema}.admin_sessions (digest, environment, name, token_mark, ends_at)
  values (decode($1::text, 'hex'), $2::text, $3::text, $4::text, clock_timestamp() + make_interval(secs => $5::float8))`

async function open({ query, schema }: Database, environment: string, session: NewAdminSession): Promise<void> {
  const { digest, name, tokenMark, seconds } = session
  await query(openSql(schema), [hexadecimal(digest), environment, storableText(name), tokenMark, seconds])
}

const findSql = (schema: string): string => `
  select name, token_mark as "tokenMark", ${millisecondsSql('ends_at')} as "endsAt"
  from ${schema}.admin_sessions
  where digest = decode($1::text, 'hex') and environment = $2::text and ends_at > clock_timestamp()`

type Row = Omit<AdminSession, 'endsAt'> & { readonly endsAt: number }

async function find(
  { query, schema }: Database,
  environment: string,
  digest: Uint8Array,
): Promise<AdminSession | undefined> {
  const [row] = await query<Row>(findSql(schema), [hexadecimal(digest), environment])
  return row && { ...row, endsAt: new Date(row.endsAt) }
}

const closeSql = (schema: string): string => `
  delete from ${schema}.admin_sessions where digest = decode($1::text, 'hex') and environment = $2::text returning name`

async function close({ query, schema }: Database, environment: string, digest: Uint8Array): Promise<boolean> {
  return (await query(closeSql(schema), [hexadecimal(digest), environment])).length === 1
}
