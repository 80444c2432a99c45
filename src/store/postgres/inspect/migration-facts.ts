import type { MigrationFacts } from '../../inspection.ts'
import type { Database } from '../database.ts'
import { allMigrations } from '../migrations/all-migrations.ts'

export async function migrationFacts({ query, schema }: Database): Promise<MigrationFacts> {
  const known = allMigrations.length
  const [table] = await query<{ readonly isThere: boolean }>('select to_regclass($1) is not null as "isThere"', [
    `${schema}.migrations`,
  ])
  if (table?.isThere !== true) return { applied: 0, known, breaking: [] }
  const rows = await query<{ readonly version: number; readonly isBreaking: boolean }>(
    `select version, is_breaking as "isBreaking" from ${schema}.migrations order by version`,
  )
  return {
    applied: Math.max(0, ...rows.map(({ version }) => version)),
    known,
    breaking: rows.flatMap(({ version, isBreaking }) => (isBreaking && version > known ? [version] : [])),
  }
}

const environmentsShown = 10

/** One look-up for each, as the unique key begins with the environment. */
const environmentsSql = (schema: string): string => `
  with recursive found (environment) as (
    (select environment from ${schema}.receipts order by environment limit 1)
    union all
    select (
      select receipts.environment from ${schema}.receipts
      where receipts.environment > found.environment order by receipts.environment limit 1
    ) from found where found.environment is not null
  )
  select environment from found where environment is not null limit ${environmentsShown}`

export async function environmentsOf({ query, schema }: Database): Promise<readonly string[]> {
  const rows = await query<{ readonly environment: string }>(environmentsSql(schema))
  return rows.map(({ environment }) => environment)
}
