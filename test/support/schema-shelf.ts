import { randomBytes } from 'node:crypto'

type Query = <Row = Record<string, unknown>>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>

type ShelfParts = {
  readonly query: Query
  /** Makes all tables in a schema that exists and is empty. */
  readonly migrate: (schema: string) => Promise<void>
  /** Where schemas are while nobody has them. Default: in this process. */
  readonly free?: FreeSchemas
}

/** What a schema is made of. Rows of catalogs get a new `xmin` with every change of a definition. */
type Snapshot = { readonly relations: readonly number[]; readonly definitions: string }

export type FreeSchema = { readonly schema: string; readonly snapshot: Snapshot }

export type FreeSchemas = {
  readonly take: () => Promise<FreeSchema | undefined>
  readonly put: (free: FreeSchema) => Promise<void>
}

/**
 * Migrated schemas that tests use one after another: to make one takes ten times as long as to empty it. One whose definitions a test has
 * changed is not used again.
 */
export type SchemaShelf = {
  /** Nobody else has it, and its tables are empty. */
  readonly take: () => Promise<string>
  readonly giveBack: (schema: string) => Promise<void>
  /** For one that cannot be used again. */
  readonly drop: (schema: string) => Promise<void>
}

/** What a schema may hold when it is given back: one that has grown beyond is slower than a new one. */
const largestBytes = 16_000_000

export function createSchemaShelf({ query, migrate, free = inThisProcess() }: ShelfParts): SchemaShelf {
  const snapshots = new Map<string, Snapshot>()

  async function makeSchema(): Promise<FreeSchema> {
    const schema = `test_${randomBytes(8).toString('hex')}`
    await query(`create schema "${schema}"`)
    await migrate(schema)
    return { schema, snapshot: await snapshotOf(query, schema) }
  }

  const drop = async (schema: string): Promise<void> => {
    snapshots.delete(schema)
    await query(`drop schema if exists "${schema}" cascade`)
  }

  return {
    drop,
    take: async () => {
      const { schema, snapshot } = (await free.take()) ?? (await makeSchema())
      snapshots.set(schema, snapshot)
      return schema
    },
    giveBack: async (schema) => {
      const snapshot = snapshots.get(schema)
      if (snapshot === undefined) throw new Error(`Schema ${schema} is not of this shelf.`)
      if (!(await isAsBefore(query, schema, snapshot))) return drop(schema)
      snapshots.delete(schema)
      await empty(query, schema)
      await free.put({ schema, snapshot })
    },
  }
}

function inThisProcess(): FreeSchemas {
  const free: FreeSchema[] = []
  return { take: async () => free.pop(), put: async (one) => void free.push(one) }
}

/** But for tables that the test added, which are dropped. */
async function isAsBefore(query: Query, schema: string, before: Snapshot): Promise<boolean> {
  const [found] = await query('select from pg_class where oid = to_regclass($1)', [`"${schema}".migrations`])
  if (found === undefined) return false
  await dropTablesOfTest(query, schema, before)
  const { definitions } = await snapshotOf(query, schema)
  return definitions === before.definitions && (await bytesOf(query, schema)) <= largestBytes
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

async function bytesOf(query: Query, schema: string): Promise<number> {
  const [row] = await query<{ bytes: number }>(
    `select coalesce(sum(pg_relation_size(oid)), 0)::float8 as bytes from pg_class where relnamespace = $1::text::regnamespace`,
    [`"${schema}"`],
  )
  return row?.bytes ?? 0
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
