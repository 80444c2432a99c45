import { OncehookError } from '../../errors.ts'
import type { MigrationReport } from '../store.ts'
import { bodyPartitionsSql, prepareBodyPartitions } from './body-partitions.ts'
import { allMigrations } from './migrations/all-migrations.ts'
import type { Migration } from './migrations/migration.ts'
import { lockNumber } from './schema-name.ts'
import type { SqlClient, SqlQuery } from './sql-client.ts'

/** Everything in one transaction behind one lock: of many processes that start at once, one migrates and the others find it done. */
export async function migrate<Tx>(
  client: SqlClient<Tx>,
  schema: string,
  migrations: readonly Migration[] = allMigrations,
): Promise<MigrationReport> {
  return client.transaction(async ({ query }) => {
    await query("select set_config('lock_timeout', '0', true)")
    await query('select pg_advisory_xact_lock($1::bigint)::text', [migrationLock(schema)])
    await createMigrationsTable(query, schema)
    const applied = await appliedMigrations(query, schema)
    refuseUnknownBreakingOnes(applied, migrations)
    const from = Math.max(0, ...applied.map(({ version }) => version))
    const missing = migrations.filter(({ version }) => version > from)
    for (const migration of missing) await apply(query, schema, migration)
    await prepareBodyPartitions(query, schema)
    return { from, to: Math.max(from, ...missing.map(({ version }) => version)) }
  })
}

/** The same as one text that can be handed to `psql`. */
export function migrationSql(schema: string, migrations: readonly Migration[] = allMigrations): string {
  const statements = [
    'begin',
    `select pg_advisory_xact_lock(${migrationLock(schema)})`,
    `create schema if not exists ${schema}`,
    migrationsTableSql(schema),
    ...migrations.flatMap((migration) => [
      ...migration.statements(schema),
      `insert into ${schema}.migrations (version, name, is_breaking)\n` +
        `values (${migration.version}, '${migration.name}', ${migration.isBreaking})`,
    ]),
    bodyPartitionsSql(schema),
    'commit',
  ]
  return statements.map((statement) => `${statement.trim()};\n`).join('\n')
}

function migrationLock(schema: string): string {
  return lockNumber(['oncehook migration', schema])
}

export const migrationsTableSql = (schema: string): string => `
create table if not exists ${schema}.migrations (
  version integer primary key,
  name text not null,
  is_breaking boolean not null,
  applied_at timestamptz not null default now()
)`

async function createMigrationsTable(query: SqlQuery, schema: string): Promise<void> {
  // Asked first, because "if not exists" needs the right to create even where it exists.
  const [found] = await query<{ readonly schema: boolean; readonly table: boolean }>(
    `select to_regnamespace($1) is not null as "schema", to_regclass($2) is not null as "table"`,
    [schema, `${schema}.migrations`],
  )
  if (found?.schema !== true) await query(`create schema if not exists ${schema}`)
  if (found?.table !== true) await query(migrationsTableSql(schema))
}

type AppliedMigration = { readonly version: number; readonly isBreaking: boolean }

async function appliedMigrations(query: SqlQuery, schema: string): Promise<readonly AppliedMigration[]> {
  return query<AppliedMigration>(`select version, is_breaking as "isBreaking" from ${schema}.migrations`)
}

/** Newer tables are fine during a roll-out, unless their migration says that older code cannot work with them. */
function refuseUnknownBreakingOnes(applied: readonly AppliedMigration[], migrations: readonly Migration[]): void {
  const newestKnown = Math.max(0, ...migrations.map(({ version }) => version))
  const breaking = applied.find(({ version, isBreaking }) => isBreaking && version > newestKnown)
  if (breaking === undefined) return
  throw new OncehookError(
    'ONCEHOOK_SCHEMA_NEWER',
    `The database has migration ${breaking.version}, which this version of Oncehook (up to ${newestKnown}) cannot work with. ` +
      'Deploy the newer version here too.',
  )
}

async function apply(
  query: SqlQuery,
  schema: string,
  { version, name, isBreaking, statements }: Migration,
): Promise<void> {
  for (const statement of statements(schema)) await query(statement)
  await query(`insert into ${schema}.migrations (version, name, is_breaking) values ($1::int, $2::text, $3::boolean)`, [
    version,
    name,
    isBreaking,
  ])
}
