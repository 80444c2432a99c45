import type { ValuePlace, ValueRow, ValueToWrite } from '../../datastore-store.ts'
import type { Database } from '../database.ts'
import { type FoundValue, isAliveSql, toValueRow, valueColumnsSql } from './value-row.ts'

const readSql = (schema: string): string => `
  select ${valueColumnsSql('datastore')}
  from ${schema}.datastore
  where environment = $1::text and namespace = $2::text and key = $3::text and ${isAliveSql('datastore')}`

export async function read({ query, schema }: Database, place: ValuePlace): Promise<ValueRow | undefined> {
  return first(await query<FoundValue>(readSql(schema), valuesOf(place)))
}

/** Waits for whoever changes it, and sees what they committed. */
export async function lock({ query, schema }: Database, place: ValuePlace): Promise<ValueRow | undefined> {
  return first(await query<FoundValue>(`${readSql(schema)} for update`, valuesOf(place)))
}

/** A time to live of its own, none, or (`is_kept`) the one that is there. */
const expirySql = `case when $5::float8 is not null then clock_timestamp() + make_interval(secs => $5::float8) end`

/**
 * One upsert. It waits for a transaction that writes the same key, and decides on what that one committed: of any number that ask for an
 * absent key, one gets a row. A value whose time is over counts as absent.
 */
const upsertSql = (schema: string, condition: string): string => `
  insert into ${schema}.datastore as known (environment, namespace, key, value, version, expires_at)
  values ($1::text, $2::text, $3::text, $4::text, nextval('${schema}.datastore_versions'), ${expirySql})
  on conflict (environment, namespace, key) do update
  set value = excluded.value, version = nextval('${schema}.datastore_versions'), updated_at = clock_timestamp(),
    expires_at = case when $6::boolean and ${isAliveSql('known')} then known.expires_at else excluded.expires_at end
  ${condition}
  returning ${valueColumnsSql('known')}`

/** Nothing changes unless the value is the one that was seen. */
const updateSql = (schema: string): string => `
  update ${schema}.datastore as known
  set value = $4::text, version = nextval('${schema}.datastore_versions'), updated_at = clock_timestamp(),
    expires_at = case when $6::boolean then known.expires_at else ${expirySql} end
  where environment = $1::text and namespace = $2::text and key = $3::text and version = $7::bigint and ${isAliveSql('known')}
  returning ${valueColumnsSql('known')}`

export async function write({ query, schema }: Database, value: ValueToWrite): Promise<ValueRow | undefined> {
  const { text, ttlSeconds, when } = value
  const isKept = ttlSeconds === 'keep'
  const seconds = isKept ? null : (ttlSeconds ?? null)
  const values = [...valuesOf(value), text, seconds, isKept]
  if (when === 'always') return first(await query<FoundValue>(upsertSql(schema, ''), values))
  if (when === 'absent') {
    return first(await query<FoundValue>(upsertSql(schema, `where not ${isAliveSql('known')}`), values))
  }
  return first(await query<FoundValue>(updateSql(schema), [...values, when.version]))
}

const removeSql = (schema: string): string => `
  delete from ${schema}.datastore
  where environment = $1::text and namespace = $2::text and key = $3::text
    and ($4::bigint is null or version = $4::bigint) and ${isAliveSql('datastore')}
  returning key`

export async function remove(
  { query, schema }: Database,
  place: ValuePlace,
  version: number | undefined,
): Promise<boolean> {
  return (await query(removeSql(schema), [...valuesOf(place), version ?? null])).length === 1
}

function valuesOf({ environment, namespace, key }: ValuePlace): readonly string[] {
  return [environment, namespace, key]
}

function first([row]: readonly FoundValue[]): ValueRow | undefined {
  return row && toValueRow(row)
}
