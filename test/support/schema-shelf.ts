import { randomBytes } from 'node:crypto'

type Query = <Row = Record<string, unknown>>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>

type ShelfParts = {
  readonly query: Query
  /** Makes all tables in a schema that exists and is empty. */
  readonly migrate: (schema: string) => Promise<void>
}

/** What a schema is made of. Rows of catalogs get a new `xmin` with every change of a definition. */
type Snapshot = { readonly relations: readonly number[]; readonly definitions: string }

/**
 * Migrated schemas that tests use one after another: to make one takes ten times as long as to empty it. One whose definitions a test has
 * changed is not used again.
 */
export type SchemaShelf = {
  /** Nobody else has it, and its tables are empty. */
  readonly take: () => Promise<string>
  readonly giveBack: (schema: string) => Promise<void>
  /** Drops what was given back. */
  readonly clear: () => Promise<void>
}

export function createSchemaShelf({ query, migrate }: ShelfParts): SchemaShelf {
  const free: string[] = []
  const snapshots = new Map<string, Snapshot>()

  const drop = async (schema: string): Promise<unknown> => query(`drop schema if exists "${schema}" cascade`)

  async function makeSchema(): Promise<string> {
    const schema = `test_${randomBytes(8).toString('hex')}`
    await query(`create schema "${schema}"`)
    await migrate(schema)
    snapshots.set(schema, await snapshotOf(query, schema))
    return schema
  }

  return {
    take: async () => free.pop() ?? (await makeSchema()),
    giveBack: async (schema) => {
      const before = snapshots.get(schema)
      if (before === undefined) throw new Error(`Schema ${schema} is not of this shelf.`)
      if (await isAsBefore(query, schema, before)) {
        await empty(query, schema)
        free.push(schema)
      } else {
        await drop(schema)
      }
    },
    clear: async () => {
      for (const schema of free.splice(0)) await drop(schema)
    },
  }
}

/** But for tables that the test added, which are dropped. */
async function isAsBefore(query: Query, schema: string, before: Snapshot): Promise<boolean> {
  const [found] = await query('select from pg_class where oid = to_regclass($1)', [`"${schema}".migrations`])
  if (found === undefined) return false
  await dropTablesOfTest(query, schema, before)
  const { definitions } = await snapshotOf(query, schema)
  return definitions === before.definitions
}

async function snapshotOf(query: Query, schema: string): Promise<Snapshot> {
  const [row] = await query<{ relations: number[] | null; definitions: string }>(
    `with relation as (select oid, xmin from pg_class where relnamespace = $1::text::regnamespace),
      definition as (
        select oid, xmin from relation
        union all select attrelid, xmin from pg_attribute where attrelid in (select oid from relation)
        union all select oid, xmin from pg_attrdef where adrelid in (select oid from relation)
        union all select oid, xmin from pg_constraint where connamespace = $1::text::regnamespace
        union all select oid, xmin from pg_trigger where tgrelid in (select oid from relation)
        union all select oid, xmin from pg_proc where pronamespace = $1::text::regnamespace
        union all select 0, xmin from "${schema}".migrations
      )
    select (select array_agg(oid::int order by oid) from relation) as relations,
      (select md5(string_agg(oid || ' ' || xmin, ',' order by oid, xmin::text)) from definition) as definitions`,
    [`"${schema}"`],
  )
  if (row === undefined) throw new Error(`Schema ${schema} could not be looked at.`)
  return { relations: row.relations ?? [], definitions: row.definitions }
}

async function dropTablesOfTest(query: Query, schema: string, { relations }: Snapshot): Promise<void> {
  const tables = await query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class
      where relnamespace = $1::text::regnamespace and relkind in ('r', 'p') and not oid::int = any ($2::int[])`,
    [`"${schema}"`, relations],
  )
  for (const { name } of tables) await query(`drop table if exists "${schema}".${name} cascade`)
}

/** Numbers start again too, as if the schema were new. */
async function empty(query: Query, schema: string): Promise<void> {
  const statements = await query<{ text: string }>(
    `select case relkind
        when 'S' then format('perform setval(%s::oid, %s, false)', oid, seqstart)
        else format('delete from %s', oid::regclass)
      end as text
      from pg_class left join pg_sequence on seqrelid = oid
      where relnamespace = $1::text::regnamespace and relkind in ('r', 'p', 'S') and not relispartition and relname <> 'migrations'`,
    [`"${schema}"`],
  )
  await query(`do $$ begin ${statements.map(({ text }) => `${text};`).join(' ')} end $$`)
}
