import { randomBytes } from 'node:crypto'
import type { Store } from '../../index.ts'
import type { PGliteInstance } from '../../store/pglite/pglite-store.ts'
import type { PgPool, PgTransaction } from '../../store/postgres/postgres-store.ts'

/** Sends one statement and answers with its rows. */
export type Query = <Row = Record<string, unknown>>(text: string, values?: readonly unknown[]) => Promise<Row[]>

/** Where a test's inbox lives, for stores by way of another library. */
export type TestPlace = {
  readonly schema: string
  /** What a connection of another library has to set, so that `now()` is the test's time and new tables are thrown away. */
  readonly searchPath: string
  /** Of `pg`, with that path set; undefined on PGlite. */
  readonly pool: PgPool | undefined
  /** Undefined on PostgreSQL. */
  readonly pglite: PGliteInstance | undefined
}

/** A schema of a database that is dropped after the test. Its time is the test's. */
export type ThrowAwayDatabase = {
  readonly place: TestPlace
  readonly query: Query
  readonly makeStore: () => Store<PgTransaction>
  readonly setTime: (now: Date) => Promise<void>
  /** For after the migrations: what they made goes by the test's time too. */
  readonly adoptFunctions: () => Promise<void>
  readonly pending: () => Promise<Pending>
  /** Empties every table, also those that the test made. */
  readonly clear: () => Promise<void>
  readonly drop: () => Promise<void>
}

/** What is still to be done. */
export type Pending = {
  /** Events and messages whose time has come. */
  readonly due: number
  /** The next moment after now at which something is due. */
  readonly nextAt: Date | undefined
}

/** A name that no other test has. */
export function newSchema(): string {
  return `oncehook_test_${randomBytes(8).toString('hex')}`
}

/** Our own functions for the time are found before the server's, because this schema stands in front of them. */
export function searchPathOf(schema: string): string {
  return `"${schema}", pg_catalog, public`
}

/**
 * A look at the clock is a microsecond later than the one before, so that rows keep their order; to the millisecond it is the test's time.
 * The count is never set back: what is due in so many seconds is then due as soon as the clock has moved by them.
 */
const clockBody = (schema: string): string => `
  select at + least(pg_catalog.nextval('"${schema}".test_ticks'), 999) * interval '1 microsecond' from "${schema}".test_time`

export async function createSchema(query: Query, schema: string): Promise<void> {
  await query(`create schema "${schema}"`)
  await query(`create table "${schema}".test_time (at timestamptz not null)`)
  await query(`create sequence "${schema}".test_ticks minvalue 0`)
  for (const name of ['now', 'clock_timestamp']) {
    await query(
      `create function "${schema}".${name}() returns timestamptz language sql volatile as $$${clockBody(schema)}$$`,
    )
  }
  await query(`insert into "${schema}".test_time values ('epoch')`)
}

/** For PostgreSQL's expressions as for ours. */
const serverClock = String.raw`pg_catalog\.(clock_timestamp|now)\(\)`

/** What every kind of database does in the same way. */
export function schemaVerbs(
  query: Query,
  schema: string,
): Pick<ThrowAwayDatabase, 'setTime' | 'adoptFunctions' | 'pending' | 'clear'> {
  return {
    async setTime(now) {
      await query(`update "${schema}".test_time set at = $1::timestamptz`, [now.toISOString()])
    },
    async adoptFunctions() {
      const functions = await query<{ readonly signature: string }>(
        `select format('%I.%I(%s)', '${schema}', proname, pg_get_function_identity_arguments(oid)) as signature
         from pg_proc where pronamespace = '"${schema}"'::regnamespace and proconfig is not null`,
      )
      for (const { signature } of functions) {
        await query(`alter function ${signature} set search_path = "${schema}", pg_catalog, pg_temp`)
      }
      // Those that have no path of their own name the server's clock in full.
      const others = await query<{ readonly definition: string }>(
        `select pg_get_functiondef(oid) as definition from pg_proc
         where pronamespace = '"${schema}"'::regnamespace and proconfig is null and prosrc ~ '${serverClock}'`,
      )
      for (const { definition } of others) {
        await query(definition.replaceAll(new RegExp(serverClock, 'g'), `"${schema}".$1()`))
      }
    },
    async clear() {
      const tables = await query<{ readonly name: string }>(
        `select format('%I.%I', schemaname, tablename) as name from pg_tables
         where schemaname = '${schema}' and tablename not in ('test_time', 'migrations')`,
      )
      await query(`truncate ${tables.map(({ name }) => name).join(', ')} restart identity`)
    },
    async pending() {
      const [row] = await query<{ readonly due: number; readonly next: number | null }>(
        `with waiting as (
           select due_at from "${schema}".queue union all select due_at from "${schema}".outbox where status = 'pending'
         ), time as (select at + interval '1 millisecond' as at from "${schema}".test_time)
         select count(*) filter (where due_at < time.at)::int as due,
           floor(extract(epoch from min(due_at) filter (where due_at >= time.at)) * 1000)::float8 as next
         from waiting, time`,
      )
      const next = row?.next ?? undefined
      return { due: row?.due ?? 0, nextAt: next === undefined ? undefined : new Date(next) }
    },
  }
}

export async function dropSchema(query: Query, schema: string): Promise<void> {
  await query(`drop schema if exists "${schema}" cascade`)
}

/** A table by its name, or the rows that a statement gives. */
export function rowsStatement(tableOrStatement: string): string {
  const isName = /^[\w."]+$/.test(tableOrStatement)
  return isName ? `select * from ${tableOrStatement}` : tableOrStatement
}

export const effectsStatement =
  'select key, result, handler, receipt_id::text as "receiptId" from effects order by applied_at, key'

export const messagesStatement = `
  select target, key, message, status, attempts, receipt_id::text as "receiptId", last_error as "lastError"
  from outbox order by id`
