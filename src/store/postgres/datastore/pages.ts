import type { NamespaceQuestion, NamespaceRow, PageQuestion, ValueRow } from '../../datastore-store.ts'
import type { Database } from '../database.ts'
import { type FoundValue, isAliveSql, toValueRow, valueColumnsSql } from './value-row.ts'

/** What one page holds at most, besides its first value. */
const pageBytes = 1 << 20

/** A stretch of the primary key, so that its cost is that of the page, however large the namespace is. One more row tells whether there are more. */
const pageSql = (schema: string): string => `
  select ${valueColumnsSql('found')}
  from (
    select key, value, version, expires_at, updated_at,
      sum(octet_length(value)) over (order by key) - octet_length(value) as bytes_before
    from (
      select key, value, version, expires_at, updated_at
      from ${schema}.datastore
      where environment = $1::text and namespace = $2::text and ${isAliveSql('datastore')}
        and key >= $3::text and ($4::text is null or key < $4::text) and ($5::text is null or key > $5::text)
      order by key
      limit $6::int + 1
    ) as stretch
  ) as found
  where found.bytes_before < ${pageBytes}
  order by found.key`

export async function page(
  { query, schema }: Database,
  { environment, namespace, prefix, after, limit }: PageQuestion,
): Promise<{ readonly rows: readonly ValueRow[]; readonly isLast: boolean }> {
  const values = [environment, namespace, prefix, endOfPrefix(prefix) ?? null, after ?? null, limit]
  const found = await query<FoundValue>(pageSql(schema), values)
  const bytes = found.reduce((total, { text }) => total + Buffer.byteLength(text), 0)
  // The page may have ended by its size, and then one row too many is none.
  const isLast = found.length <= limit && bytes < pageBytes
  return { rows: found.slice(0, limit).map(toValueRow), isLast }
}

/** The first text that sorts after all that begin with the prefix; undefined if there is none. By code point, as the key's collation has it. */
function endOfPrefix(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0)
  while (points.length > 0) {
    const last = points.pop() ?? 0
    if (last === 0x10_ff_ff) continue
    // Surrogates are no characters.
    points.push(last === 0xd7_ff ? 0xe0_00 : last + 1)
    return String.fromCodePoint(...points)
  }
  return undefined
}

const mostCounted = 1000

/**
 * From one name to the next by the primary key, however many keys are between, and no further than the limit: rows of a recursive query are
 * made when they are asked for, in this order. A name whose values are all past their time is passed over.
 */
const namespacesSql = (schema: string): string => `
  with recursive names (name) as (
    (
      select namespace from ${schema}.datastore
      where environment = $1::text and ($2::text is null or namespace > $2::text)
      order by namespace
      limit 1
    )
    union all
    select (
      select namespace from ${schema}.datastore
      where environment = $1::text and namespace > names.name
      order by namespace
      limit 1
    )
    from names where names.name is not null
  )
  select names.name as namespace, counted.keys
  from names cross join lateral (
    select count(*)::int as keys
    from (
      select from ${schema}.datastore
      where environment = $1::text and namespace = names.name and ${isAliveSql('datastore')}
      limit ${mostCounted} + 1
    ) as counted_keys
  ) as counted
  where names.name is not null and counted.keys > 0
  limit $3::int`

export async function namespaces(
  { query, schema }: Database,
  { environment, after, limit }: NamespaceQuestion,
): Promise<readonly NamespaceRow[]> {
  type Row = { readonly namespace: string; readonly keys: number }
  const found = await query<Row>(namespacesSql(schema), [environment, after ?? null, limit])
  return found.toSorted(byName).map(({ namespace, keys }) => ({
    namespace,
    keys: Math.min(keys, mostCounted),
    hasMoreKeys: keys > mostCounted,
  }))
}

function byName(one: { readonly namespace: string }, other: { readonly namespace: string }): number {
  return Buffer.compare(Buffer.from(one.namespace), Buffer.from(other.namespace))
}
