import { invalidOptions } from '../../errors.ts'
import type { IdPart, LegacyTable, TableWish } from '../recovery-store.ts'
import type { SqlQuery } from './sql-client.ts'
import { sqlState } from './sql-errors.ts'

/** A name that the database found, or quoted part by part: an ORM may have made it with capital letters. */
const findTableSql = `
  select tables.oid::text as oid, namespaces.nspname::text as schema, tables.relname::text as name, tables.relkind::text as kind,
    case when tables.reltuples < 0 then null else tables.reltuples::float8 end as "estimatedRows"
  from pg_class as tables
  join pg_namespace as namespaces on namespaces.oid = tables.relnamespace
  where tables.oid = coalesce(to_regclass($1::text), to_regclass($2::text))`

const findColumnsSql = `
  select attname::text as name, format_type(atttypid, atttypmod) as type, attnotnull as "isRequired"
  from pg_attribute
  where attrelid = $1::oid and attnum > 0 and not attisdropped
  order by attnum`

/** Only an index that holds every row, each in a place of its own, lets a reader go on where it stopped. */
const findKeysSql = `
  select indexes.indisprimary as "isPrimary", (
    select json_agg(attributes.attname order by places.place)::text
    from unnest(indexes.indkey::int2[]) with ordinality as places (number, place)
    join pg_attribute as attributes on attributes.attrelid = indexes.indrelid and attributes.attnum = places.number
    where places.place <= indexes.indnkeyatts
  ) as columns
  from pg_index as indexes
  where indexes.indrelid = $1::oid and indexes.indisunique and indexes.indisvalid and indexes.indpred is null
    and indexes.indexprs is null
  order by indexes.indisprimary desc, indexes.indexrelid`

type Column = { readonly name: string; readonly type: string; readonly isRequired: boolean }

/** Looks up what is meant by the names a user gave. Rejects with every mistake in them. */
export async function resolveTable(query: SqlQuery, wish: TableWish): Promise<LegacyTable> {
  const table = await findTable(query, wish.table)
  const columns = await query<Column>(findColumnsSql, [table.oid])
  const keys = await query<{ readonly columns: string }>(findKeysSql, [table.oid])
  const mistakes: string[] = []
  const name = `${table.schema}.${table.name}`

  const columnOf = (meaning: string, given: string): Column | undefined => {
    const column = columns.find((one) => one.name === given) ?? columns.find((one) => one.name === given.toLowerCase())
    if (column === undefined) {
      const known = columns.map((one) => one.name).join(', ')
      mistakes.push(`${meaning} is the column ${JSON.stringify(given)}, which ${name} does not have; it has: ${known}.`)
    }
    return column
  }
  const textOf = (meaning: string, given: string | undefined): string | undefined => {
    const column = given === undefined ? undefined : columnOf(meaning, given)
    return column && `${quoted(column.name)}::text`
  }
  const parts = wish.eventId.map((part) => ('value' in part ? part : textOf('columns.eventId', part.column)))
  const processedAt = wish.processedAt === undefined ? undefined : columnOf('columns.processedAt', wish.processedAt)
  const processedAtSql = processedAt && timeOf(processedAt)
  if (processedAt !== undefined && processedAtSql === undefined) {
    mistakes.push(
      `columns.processedAt is ${name}.${processedAt.name}, which is of the type ${processedAt.type}: give a column with a time, or with Unix seconds.`,
    )
  }
  const key = chooseKey(
    keys.map((one) => JSON.parse(one.columns) as string[]),
    columns,
    wish.key,
  )
  if (key === undefined) mistakes.push(missingKey(name, wish.key))
  const resolved = {
    name,
    tableSql: `${quoted(table.schema)}.${quoted(table.name)}`,
    eventIdSql: safeIdSql(parts.map((part) => part ?? 'null')),
    typeSql: textOf('columns.type', wish.type),
    processedAtSql,
    statusSql: textOf('columns.status', wish.status),
    objectIdSql: textOf('columns.objectId', wish.objectId),
    key: key ?? [],
    estimatedRows: table.estimatedRows ?? undefined,
  }
  if (mistakes.length > 0) throw invalidOptions('The import', mistakes)
  return resolved
}

type FoundTable = {
  readonly oid: string
  readonly schema: string
  readonly name: string
  readonly kind: string
  readonly estimatedRows: number | null
}

async function findTable(query: SqlQuery, given: string): Promise<FoundTable> {
  const asWritten = given.split('.').map(quoted).join('.')
  const [found] = await query<FoundTable>(findTableSql, [given, asWritten]).catch((error: unknown) => {
    // What is not a name at all is no table either.
    if (['42601', '42602', '0A000'].includes(sqlState(error) ?? '')) return []
    throw error
  })
  const wrong = (mistake: string): Error => invalidOptions('The import', [mistake])
  if (found === undefined) {
    throw wrong(`there is no table ${JSON.stringify(given)} in this database; give it as in public.processed_events.`)
  }
  // Tables, partitioned ones and materialised views: what is read by a key.
  if (!['r', 'p', 'm'].includes(found.kind)) throw wrong(`${found.schema}.${found.name} is not a table.`)
  return found
}

type Key = LegacyTable['key']

/** The named key, or the first that there is: a primary key stands before others. */
function chooseKey(
  keys: readonly (readonly string[])[],
  columns: readonly Column[],
  wanted: readonly string[] | undefined,
): Key | undefined {
  const isWanted = (key: readonly string[]): boolean =>
    wanted === undefined || (key.length === wanted.length && key.every((name, index) => name === wanted[index]))
  for (const key of keys.filter(isWanted)) {
    const found = key.map((name) => columns.find((column) => column.name === name))
    // Rows without a value would be passed over.
    if (found.every((column) => column?.isRequired === true)) {
      return found.flatMap((column) =>
        column === undefined ? [] : [{ columnSql: quoted(column.name), type: column.type }],
      )
    }
  }
  return undefined
}

function missingKey(name: string, wanted: readonly string[] | undefined): string {
  const which = wanted === undefined ? 'primary key or other' : `(${wanted.join(', ')}) as a`
  return `${name} has no ${which} unique key over columns that are never null, by which it could be read part by part: create a unique index, and make its columns not null.`
}

/** Undefined if the column holds no times. A time without a zone is taken for UTC. */
function timeOf({ name, type }: Column): string | undefined {
  const column = quoted(name)
  if (/^timestamp(\(\d\))? with time zone$/.test(type)) return column
  if (/^timestamp(\(\d\))? without time zone$/.test(type)) return `${column} at time zone 'UTC'`
  if (type === 'date') return `${column}::timestamp at time zone 'UTC'`
  if (!/^(bigint|integer|double precision|numeric.*)$/.test(type)) return undefined
  // Seconds until the year 5138 are below it, milliseconds since 1973 above.
  return `to_timestamp((case when ${column} > 100000000000 then ${column} / 1000.0 else ${column} end)::float8)`
}

/** The same as `safeId` and `compositeId` do with the ids of deliveries. */
function safeIdSql(parts: readonly (string | IdPart)[]): string {
  const texts = parts.map((part) => {
    if (typeof part === 'string') return `nullif(${part}, '')`
    return 'value' in part ? literal(part.value) : 'null'
  })
  const escaped = texts.map((text) => `replace(replace(${text}, '%', '%25'), ':', '%3A')`)
  const id = texts.length === 1 ? texts[0] : escaped.join(` || ':' || `)
  return `(select case when octet_length(given.id) > 512 or given.id ~ '^sha256:[0-9a-f]{64}$'
      then 'sha256:' || encode(sha256(convert_to(given.id, 'UTF8')), 'hex') else given.id end
    from (select ${id} as id) as given)`
}

/** A name that may hold anything. */
function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function literal(text: string): string {
  return `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
