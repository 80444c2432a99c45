import { type Chain, linkNamed, type Recogniser } from '../run/chain.ts'
import { emit } from '../run/machine.ts'
import { has, memberNamed, textOf, unknown, type Value } from '../run/value.ts'
import { connectionOf, fateOfCall } from './connections.ts'
import { isReceipt } from './statements.ts'

type Kind = 'lookup' | 'record' | 'write' | 'erase'
type Built = { readonly kind: Kind; readonly table: string }

/** Statements that are put together by calls, as in Drizzle, Knex, Kysely, Supabase and TypeORM's query builder. */
export const builders: Recogniser = (machine, chain) => {
  const built = builtBy(chain)
  if (built === undefined) return undefined
  const row = rowOf(chain)
  const conditions = ['where', 'eq', 'match', 'andWhere', 'filter', 'findFirst']
    .flatMap((name) => linksNamed(chain, name))
    .flatMap(partsOf)
  const values = built.kind === 'record' ? [...(row?.values() ?? [])] : conditions
  const connection = connectionOf(machine, chain)
  const isAtomic = linkNamed(chain, ...atomic) !== undefined || linkNamed(chain, 'upsert') !== undefined
  const step = emit(machine, chain.node, {
    ...built,
    isNameSure: true,
    store: 'database',
    ...fateOfCall(machine, chain, connection),
    key: values.find((value) => has(value, 'event-id')) ?? values.find((value) => has(value, 'body-hash')) ?? values[0],
    isAtomic,
    isReceipt: built.kind === 'record' && isReceipt([...(row?.keys() ?? [])], values),
    expires: false,
  })
  return step === undefined ? unknown : { ...unknown, about: new Map([[step.number, 'present']]) }
}

const atomic = [
  'onConflictDoNothing',
  'onConflictDoUpdate',
  'onConflict',
  'orIgnore',
  'orUpdate',
  'ignore',
  'doNothing',
  'onDuplicateKeyUpdate',
]

function builtBy(chain: Chain): Built | undefined {
  return drizzle(chain) ?? kysely(chain) ?? queryBuilder(chain) ?? byTable(chain)
}

/** `db.insert(table).values(row)`, `db.select().from(table)`, `db.query.table.findFirst({ where })`. */
function drizzle(chain: Chain): Built | undefined {
  const inserted = linkNamed(chain, 'insert')?.values?.[0]
  if (inserted !== undefined && linkNamed(chain, 'values') !== undefined)
    return { kind: 'record', table: nameOf(inserted) }
  const from = linkNamed(chain, 'from')?.values?.[0]
  if (from !== undefined && linkNamed(chain, 'select', 'selectDistinct') !== undefined && textOf(from) === undefined)
    return { kind: 'lookup', table: nameOf(from) }
  const updated = linkNamed(chain, 'update')?.values?.[0]
  if (updated !== undefined && linkNamed(chain, 'set') !== undefined) return { kind: 'write', table: nameOf(updated) }
  const query = chain.links.findIndex(({ name, values }) => name === 'query' && values === undefined)
  const relation = chain.links[query + 1]
  if (query !== -1 && relation?.name !== undefined && linkNamed(chain, 'findFirst', 'findMany') !== undefined)
    return { kind: 'lookup', table: relation.name }
  const deleted = linkNamed(chain, 'delete')?.values?.[0]
  return deleted !== undefined && linkNamed(chain, 'where') !== undefined && deleted.members === undefined
    ? { kind: 'erase', table: nameOf(deleted) }
    : undefined
}

function kysely(chain: Chain): Built | undefined {
  const starts = [
    ['selectFrom', 'lookup'],
    ['insertInto', 'record'],
    ['updateTable', 'write'],
    ['deleteFrom', 'erase'],
  ] as const
  for (const [name, kind] of starts) {
    const table = linkNamed(chain, name)?.values?.[0]
    if (table !== undefined) return { kind, table: nameOf(table) }
  }
  return undefined
}

/** TypeORM: `createQueryBuilder().insert().into(Entity).values(row).orIgnore()`. */
function queryBuilder(chain: Chain): Built | undefined {
  const into = linkNamed(chain, 'into')?.values?.[0]
  return into !== undefined && linkNamed(chain, 'insert') !== undefined
    ? { kind: 'record', table: nameOf(into) }
    : undefined
}

/** Knex: `knex('table').where(…)`. Supabase: `supabase.from('table').insert(row)`. */
function byTable(chain: Chain): Built | undefined {
  const [first] = chain.links
  const from = linkNamed(chain, 'from', 'into', 'table')?.values?.[0]
  const table = textOf(from) ?? (first?.name === undefined ? textOf(first?.values?.[0]) : undefined)
  if (table === undefined || !/^[\w.]+$/.test(table)) return undefined
  if (linkNamed(chain, 'insert', 'upsert') !== undefined) return { kind: 'record', table }
  if (linkNamed(chain, 'update', 'increment', 'decrement') !== undefined) return { kind: 'write', table }
  if (linkNamed(chain, 'del', 'delete') !== undefined) return { kind: 'erase', table }
  return linkNamed(chain, 'where', 'first', 'select', 'eq') === undefined ? undefined : { kind: 'lookup', table }
}

function rowOf(chain: Chain): ReadonlyMap<string, Value> | undefined {
  const link = linkNamed(chain, 'values') ?? linkNamed(chain, 'insert', 'upsert')
  const given = link?.values?.[0]
  return given?.members ?? given?.items?.[0]?.members
}

function linksNamed({ links }: Chain, name: string): readonly Value[] {
  return links.flatMap((link) => (link.name === name ? (link.values ?? []) : []))
}

/** What stands in a condition: `eq(table.id, id)` and `{ id }` hold it inside. */
function partsOf(value: Value): readonly Value[] {
  const where = memberNamed(value, 'where')
  const inside = [...(value.members?.values() ?? []), ...(value.items ?? []), ...(where === undefined ? [] : [where])]
  return [value, ...inside.flatMap(partsOf)]
}

/** A table is a text, or the name of what describes it. */
function nameOf(value: Value): string {
  const text = textOf(value)
  return text?.split(/[\s.]/).at(0) ?? value.class?.node.id?.name ?? value.label?.split(/[:.#]/).at(-1) ?? 'table'
}
