import { migrationsTableSql } from '../migrate.ts'
import { allMigrations } from '../migrations/all-migrations.ts'
import type { Migration } from '../migrations/migration.ts'

/** An index that the migrations leave behind, and the statement that makes it while deliveries go on. */
export type ExpectedIndex = { readonly name: string; readonly sql: string }

/** Read from the migrations themselves, so that nobody has to keep a second list. */
export function expectedIndexes(
  schema: string,
  migrations: readonly Migration[] = allMigrations,
): readonly ExpectedIndex[] {
  const indexes = new Map<string, ExpectedIndex>()
  const statements = migrations.flatMap((migration) => migration.statements(schema))
  for (const statement of [migrationsTableSql(schema), ...statements]) {
    for (const index of [...ownIndexes(statement), ...constraintsOf(schema, statement)]) indexes.set(index.name, index)
    for (const [, name = ''] of statement.matchAll(/drop index (?:if exists )?(?:"?\w+"?\.)?(\w+)/g))
      indexes.delete(name)
  }
  return [...indexes.values()]
}

function ownIndexes(statement: string): readonly ExpectedIndex[] {
  const text = statement.trim()
  const [, name] = /^create (?:unique )?index (?:if not exists )?(\w+) on /.exec(text) ?? []
  if (name === undefined) return []
  return [{ name, sql: text.replace(/\s+/g, ' ').replace(/ index (?:if not exists )?/, ' index concurrently ') }]
}

/** Primary keys and unique constraints of a table that is created. */
function constraintsOf(schema: string, statement: string): readonly ExpectedIndex[] {
  const [, table, columns = ''] =
    /^\s*create table (?:if not exists )?\S+\.(\w+) \(\n([\s\S]*?)\n\)/.exec(statement) ?? []
  if (table === undefined) return []
  const inline = /^ {2}"?(\w+)"? .*\bprimary key\b/m.exec(columns)?.[1]
  const listed = /^ {2}primary key (\([^)]*\))/m.exec(columns)?.[1]
  const key = listed ?? (inline === undefined ? undefined : `(${inline})`)
  const unique = [...columns.matchAll(/^ {2}constraint (\w+) unique (\([^)]*\))/gm)]
  return [
    ...(key === undefined
      ? []
      : [{ name: `${table}_pkey`, sql: `alter table ${schema}.${table} add primary key ${key}` }]),
    ...unique.map(([, name = '', list = '']) => ({
      name,
      sql: `alter table ${schema}.${table} add constraint ${name} unique ${list}`,
    })),
  ]
}
