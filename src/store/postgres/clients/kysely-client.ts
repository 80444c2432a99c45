import type { SqlClient, SqlQuery } from '../sql-client.ts'
import type { Leash } from './leash.ts'
import { createLibraryClient } from './library-client.ts'
import type { LibraryLimits } from './library-store.ts'
import { plainValues } from './plain-values.ts'

/** The part of a `Kysely` that is needed here, so that the package stays out of our dependencies. */
export type KyselyDatabase<Transaction> = { transaction(): KyselyTransactionBuilder<Transaction> }

/** The part of Kysely's builder that is used. */
export type KyselyTransactionBuilder<Transaction> = {
  setIsolationLevel(level: 'read committed'): KyselyTransactionBuilder<Transaction>
  execute(work: (transaction: Transaction) => Promise<void>): Promise<void>
}

type Executor = { provideConnection<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> }

type Connection = {
  executeQuery(query: CompiledQuery, ...rest: unknown[]): Promise<{ readonly rows: readonly unknown[] }>
  streamQuery(query: CompiledQuery, ...rest: unknown[]): unknown
}

type CompiledQuery = {
  readonly sql: string
  readonly parameters: readonly unknown[]
  readonly query: { readonly kind: 'RawNode'; readonly sqlFragments: readonly string[]; readonly parameters: [] }
  readonly queryId: { readonly queryId: string }
}

/** Kysely does not tell how large its pool is; ten is what `pg` makes. */
const transactionSlots = 8

/** PostgreSQL by way of Kysely. Our own statements go to the connection itself, where no plugin changes their rows. */
export function createKyselyClient<Tx>(database: KyselyDatabase<Tx>, limits: LibraryLimits): SqlClient<Tx> {
  return createLibraryClient<Tx>(
    {
      query: (text, values) =>
        executorOf(database).provideConnection((connection) => queryOn(connection)(text, values)),
      transaction: (leash, work) =>
        database
          .transaction()
          .setIsolationLevel('read committed')
          .execute(async (raw) => {
            const connection = await executorOf(raw).provideConnection(async (found) => found)
            const query = queryOn(connection)
            leashConnection(connection, leash)
            return work({ raw, query })
          }),
      refused: ['destroy'],
      // Kysely does not listen for errors of a client in use, so one that is ended by the server ends the process.
      mayEndWhenIdle: false,
      listen: 'poll',
      transactionSlots,
    },
    limits,
  )
}

function executorOf(holder: unknown): Executor {
  return (holder as { getExecutor(): Executor }).getExecutor()
}

/** Past the leash: the method is taken before it is leashed. */
function queryOn(connection: Connection): SqlQuery {
  const execute = connection.executeQuery.bind(connection)
  return async <Row>(text: string, values: readonly unknown[] = []) => {
    const { rows } = await execute({
      sql: text,
      parameters: plainValues(values),
      query: { kind: 'RawNode', sqlFragments: [text], parameters: [] },
      queryId: { queryId: 'oncehook' },
    })
    return rows as Row[]
  }
}

/** The connection is the pool's, so it is let go of with the end of the transaction; later uses are refused by Kysely itself. */
function leashConnection(connection: Connection, leash: Leash): void {
  const execute = connection.executeQuery.bind(connection)
  const stream = connection.streamQuery.bind(connection)
  const own = Object.getOwnPropertyDescriptors(connection)
  connection.executeQuery = async (query, ...rest) => {
    const isEnd = /^\s*(?:commit|rollback)\s*$/i.test(query.sql)
    try {
      return await leash.pass(query.sql, () => execute(query, ...rest))
    } finally {
      if (isEnd && leash.isEnding()) restore()
    }
  }
  connection.streamQuery = (query, ...rest) => {
    leash.check(query.sql)
    return stream(query, ...rest)
  }
  function restore(): void {
    for (const name of ['executeQuery', 'streamQuery'] as const) {
      const before = own[name]
      if (before === undefined) Reflect.deleteProperty(connection, name)
      else Object.defineProperty(connection, name, before)
    }
  }
}
