import type { IndexFacts } from '../../inspection.ts'
import type { Database } from '../database.ts'
import { expectedIndexes } from './expected-indexes.ts'

const indexesSql = `
  select index_class.relname as name, pg_index.indisvalid and pg_index.indisready as "isValid"
  from pg_index
  join pg_class as index_class on index_class.oid = pg_index.indexrelid
  join pg_class as table_class on table_class.oid = pg_index.indrelid
  where table_class.relnamespace = $1::regnamespace`

export async function indexFacts({ query, schema }: Database): Promise<IndexFacts> {
  const found = await query<{ readonly name: string; readonly isValid: boolean }>(indexesSql, [schema])
  const names = new Set(found.map(({ name }) => name))
  return {
    missing: expectedIndexes(schema).filter(({ name }) => !names.has(name)),
    invalid: found
      .filter(({ isValid }) => !isValid)
      .map(({ name }) => ({ name, sql: `reindex index concurrently ${schema}.${name}` })),
  }
}
