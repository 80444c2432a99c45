import { AsyncLocalStorage } from 'node:async_hooks'
import type { Store } from '../../index.ts'
import {
  type PGliteDatabase,
  type PGliteInstance,
  type PGliteTransaction,
  pgliteStore,
} from '../../store/pglite/pglite-store.ts'
import type { PgTransaction } from '../../store/postgres/postgres-store.ts'
import {
  createSchema,
  dropSchema,
  newSchema,
  type Query,
  schemaVerbs,
  searchPathOf,
  type ThrowAwayDatabase,
} from './throw-away-database.ts'

/** One for all tests of this process: starting it takes longer than most of them. */
let shared: SharedDatabase | undefined

/** A schema of a database in memory. */
export async function pgliteDatabase(): Promise<ThrowAwayDatabase> {
  shared ??= shareDatabase(pgliteStore().database())
  const schema = newSchema()
  const searchPath = searchPathOf(schema)
  const pglite = instanceFor(shared, searchPath)
  const query: Query = async <Row>(text: string, values: readonly unknown[] = []) => {
    const { rows } = await pglite.query<Row>(text, [...values])
    return rows
  }
  await createSchema(query, schema)
  return {
    place: { schema, searchPath, pool: undefined, pglite },
    query,
    // What handlers get answers as a client of `pg` does: see `likePg`.
    makeStore: () => pgliteStore(pglite, { schema }) as unknown as Store<PgTransaction>,
    ...schemaVerbs(query, schema),
    drop: () => dropSchema(query, schema),
  }
}

/** Runs work on the one connection, alone and with this search path. */
type SharedDatabase = {
  readonly alone: <Result>(searchPath: string, work: (database: PGliteDatabase) => Promise<Result>) => Promise<Result>
}

function shareDatabase(database: PGliteDatabase): SharedDatabase {
  const insideTransaction = new AsyncLocalStorage<{ isOpen: boolean }>()
  let last: Promise<unknown> = Promise.resolve()
  let currentPath = ''

  const run = async <Result>(searchPath: string, work: (given: PGliteDatabase) => Promise<Result>): Promise<Result> => {
    if (currentPath !== searchPath) await database.exec(`set search_path to ${searchPath}`)
    currentPath = searchPath
    const mark = { isOpen: true }
    try {
      return await insideTransaction.run(mark, () => work(database))
    } finally {
      mark.isOpen = false
    }
  }
  return {
    alone(searchPath, work) {
      // Whoever is inside would wait for itself: the database says so at once.
      if (insideTransaction.getStore()?.isOpen === true) return work(database)
      const turn = last.then(
        () => run(searchPath, work),
        () => run(searchPath, work),
      )
      last = turn.catch(() => undefined)
      return turn
    },
  }
}

function instanceFor({ alone }: SharedDatabase, searchPath: string): PGliteInstance {
  const atOnce: Pick<PGliteTransaction, 'query' | 'exec' | 'sql'> = {
    query: (...given) => alone(searchPath, (database) => database.query(...given)),
    exec: (text) => alone(searchPath, (database) => database.exec(text)),
    sql: (...given) => alone(searchPath, (database) => database.sql(...given)),
  }
  return {
    ...likePg(atOnce),
    waitReady: Promise.resolve(),
    transaction: (work) =>
      alone(searchPath, (database) =>
        database.transaction((raw) =>
          work({
            ...likePg(raw),
            get closed() {
              return raw.closed
            },
          }),
        ),
      ),
    close: async () => {},
  }
}

/** Handlers are written for `pg`: a statement may be an object, and its answer says how many rows it was about. */
function likePg({ query, exec, sql }: PGliteTransaction): PGliteTransaction {
  return {
    exec: (text) => exec(text),
    sql: (...given) => sql(...given),
    async query(statement: string | { readonly text: string; readonly values?: unknown[] }, values, options) {
      const text = typeof statement === 'string' ? statement : statement.text
      const answer = await query<never>(text, typeof statement === 'string' ? values : statement.values, options)
      const isRead = /^\s*(?:select|with|values|table|show)\b/i.test(text)
      return Object.assign(answer, { rowCount: isRead ? answer.rows.length : (answer.affectedRows ?? 0) })
    },
  }
}
