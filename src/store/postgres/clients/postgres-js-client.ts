import type { SqlClient } from '../sql-client.ts'
import { createLibraryClient } from './library-client.ts'
import type { LibraryLimits } from './library-store.ts'
import { plainValues } from './plain-values.ts'
import { leashSql, type PostgresJsTransaction } from './postgres-js-leash.ts'

/** The part of an instance of `postgres` that is needed here, so that the package stays out of our dependencies. */
export type PostgresJs<Transaction> = {
  unsafe(text: string, values?: never[]): PromiseLike<readonly unknown[]>
  begin(options: string, work: (transaction: Transaction) => Promise<void>): Promise<unknown>
  listen(
    channel: string,
    onNotify: () => void,
    onListen?: () => void,
  ): PromiseLike<{ readonly unlisten: () => Promise<void> }>
  readonly options: { readonly max: number }
}

/** One connection for our own short statements stays free of handlers. Listening has one of its own. */
const reservedConnections = 1

/** PostgreSQL by way of `postgres`. */
export function createPostgresJsClient<Tx>(sql: PostgresJs<Tx>, limits: LibraryLimits): SqlClient<Tx> {
  return createLibraryClient<Tx>(
    {
      query: (text, values) => rowsOf(sql, text, values),
      transaction: async (leash, work) => {
        await sql.begin('isolation level read committed', (raw) => {
          const transaction = raw as PostgresJsTransaction
          const working = work({
            raw: leashSql(transaction, leash) as Tx,
            query: (text, values) => rowsOf(transaction, text, values),
          })
          // A ROLLBACK on a connection that is gone would be written to nothing, and that would end the process.
          return leash.untilOver(working)
        })
      },
      refused: ['prepare'],
      mayEndWhenIdle: true,
      listen: (channel, onNotify) => listenOnPostgresJs(sql, channel, onNotify),
      transactionSlots: postgresJsSlots(sql),
    },
    limits,
  )
}

export function postgresJsSlots<Tx>({ options }: PostgresJs<Tx>): number {
  return Math.max(1, options.max - reservedConnections)
}

/** Our own statements, with values that need no types of the database. */
export async function rowsOf<Row>(
  sql: Pick<PostgresJsTransaction, 'unsafe'>,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const rows = await sql.unsafe(text, plainValues(values) as never[])
  return [...rows] as Row[]
}

/** What was said while it reconnected is not heard, so every reconnection counts as a notification. */
export async function listenOnPostgresJs<Tx>(
  sql: PostgresJs<Tx>,
  channel: string,
  onNotify: () => void,
): Promise<() => Promise<void>> {
  let isFirst = true
  const { unlisten } = await sql.listen(
    channel,
    () => onNotify(),
    () => {
      if (!isFirst) onNotify()
      isFirst = false
    },
  )
  return unlisten
}
