import type { SizeFacts, TableFacts } from '../../inspection.ts'
import type { Database } from '../database.ts'

/** A setting of the table itself, else the server's. */
const settingSql = (name: string): string => `
  coalesce(
    (select option_value from pg_options_to_table(pg_class.reloptions) where option_name = '${name}'),
    current_setting('${name}', true)
  )`

/** Partitions of bodies are written once and dropped whole. */
const ownTablesSql = `pg_class.relnamespace = $1::regnamespace and pg_class.relkind = 'r' and not pg_class.relispartition`

const tablesSql = `
  select pg_class.relname as name, greatest(0, pg_class.reltuples)::float8 as rows,
    coalesce(pg_stat_get_dead_tuples(pg_class.oid), 0)::float8 as "deadRows",
    (${settingSql('autovacuum_vacuum_threshold')})::float8
      + (${settingSql('autovacuum_vacuum_scale_factor')})::float8 * greatest(0, pg_class.reltuples) as "vacuumAt",
    coalesce(
      (select option_value::boolean from pg_options_to_table(pg_class.reloptions) where option_name = 'autovacuum_enabled'),
      true
    ) as "isAutovacuumed",
    extract(epoch from clock_timestamp() - greatest(
      pg_stat_get_last_vacuum_time(pg_class.oid), pg_stat_get_last_autovacuum_time(pg_class.oid)
    ))::float8 as "secondsSinceVacuum"
  from pg_class
  where ${ownTablesSql}
  order by pg_class.relname`

/**
 * How many bytes the rows need by what the statistics say of their columns: a header of 24 bytes and a pointer of 4 for a row, of 8 and 4
 * for an entry of an index, both filled up to 8. An entry that holds several rows takes less, so that this is rather too much.
 */
const sizesSql = `
  with columns as (
    select pg_class.oid, pg_attribute.attnum, pg_stats.avg_width * (1 - pg_stats.null_frac) as width
    from pg_class
    join pg_attribute on pg_attribute.attrelid = pg_class.oid and pg_attribute.attnum > 0 and not pg_attribute.attisdropped
    left join pg_stats on pg_stats.schemaname = pg_class.relnamespace::regnamespace::name
      and pg_stats.tablename = pg_class.relname and pg_stats.attname = pg_attribute.attname
    where ${ownTablesSql}
  ), relations as (
    select pg_class.oid as table_oid, pg_class.oid, pg_class.relname, pg_class.reltuples, 'table' as kind, 28 as overhead,
      coalesce((select option_value::float8 from pg_options_to_table(pg_class.reloptions) where option_name = 'fillfactor'), 100)
        as fillfactor,
      (select sum(width) from columns where columns.oid = pg_class.oid) as width
    from pg_class
    where ${ownTablesSql}
    union all
    select pg_class.oid, index_class.oid, index_class.relname, index_class.reltuples, 'index', 12, 90,
      (select sum(width) from columns where columns.oid = pg_class.oid and columns.attnum = any (pg_index.indkey::int2[]))
    from pg_class
    join pg_index on pg_index.indrelid = pg_class.oid
    join pg_class as index_class on index_class.oid = pg_index.indexrelid
    where ${ownTablesSql}
  )
  select (select relname from pg_class where pg_class.oid = relations.table_oid) as "table", kind, relname as name,
    pg_relation_size(oid)::float8 as bytes,
    case when reltuples >= 0 and width is not null
      then (reltuples * (overhead + ceil(width / 8) * 8) * 100 / fillfactor)::float8 end as "neededBytes"
  from relations
  order by kind desc, relname`

type SizeRow = Omit<SizeFacts, 'neededBytes' | 'sql'> & { readonly table: string; readonly neededBytes: number | null }

export async function tableFacts({ query, schema, wakeChannel }: Database): Promise<readonly TableFacts[]> {
  type Row = Pick<TableFacts, 'name' | 'rows' | 'deadRows' | 'vacuumAt' | 'isAutovacuumed'> & {
    readonly secondsSinceVacuum: number | null
  }
  const tables = await query<Row>(tablesSql, [schema])
  const sizes = await query<SizeRow>(sizesSql, [schema])
  return tables.map((row) => ({
    ...row,
    secondsSinceVacuum: row.secondsSinceVacuum ?? undefined,
    sizes: sizes
      .filter(({ table }) => table === row.name)
      .map(({ kind, name, bytes, neededBytes }) => ({
        kind,
        name,
        bytes,
        neededBytes: neededBytes ?? undefined,
        sql:
          kind === 'table'
            ? `vacuum (full, analyze) ${schema}.${name}`
            : `reindex index${wakeChannel === undefined ? '' : ' concurrently'} ${schema}.${name}`,
      })),
    autovacuumSql: `alter table ${schema}.${row.name} reset (autovacuum_enabled)`,
    vacuumSql: `vacuum (analyze) ${schema}.${row.name}`,
  }))
}
