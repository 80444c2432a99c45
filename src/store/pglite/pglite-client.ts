import { AsyncLocalStorage } from 'node:async_hooks'
import { isOncehookError, transactionClosed } from '../../errors.ts'
import type { SqlClient, SqlConnection, SqlQuery } from '../postgres/sql-client.ts'
import { commitUnknown, conflict, isConflict } from '../postgres/sql-errors.ts'
import type { OpenDatabase } from './open-database.ts'
import { databaseFailed, databaseInsideHandler, endedByHandler } from './pglite-errors.ts'
import type { PGliteDatabase, PGliteInstance, PGliteTransaction } from './pglite-types.ts'
import { valueConventions } from './value-conventions.ts'

/** How the client gets to its database, and lets go of one that died. */
export type DatabaseHolder = {
  readonly open: () => Promise<OpenDatabase>
  readonly drop: (database: OpenDatabase) => void
  readonly close: () => Promise<void>
}

export type PgliteClient = SqlClient<PGliteTransaction> & {
  /** The database for an app's own statements. Throws at once inside a transaction, where a statement would wait for ever. */
  readonly database: () => PGliteDatabase
}

/** PGlite as a way to PostgreSQL: one connection, on which statements and transactions wait for each other. */
export function createPgliteClient(holder: DatabaseHolder): PgliteClient {
  const transactions = new AsyncLocalStorage<{ isOpen: boolean }>()

  /** Everything goes through here, so that no error and no death of the database is passed over. */
  async function use<Result>(
    kind: 'read' | 'write',
    work: (instance: PGliteInstance) => Promise<Result>,
  ): Promise<Result> {
    const database = await holder.open()
    if (kind === 'write') database.assertSpace()
    try {
      return await work(database.instance)
    } catch (error) {
      throw translate(error, database.failure(), kind)
    } finally {
      if (database.failure() !== undefined) holder.drop(database)
      else if (database.isUpkeepDue()) void tidyUp(database)
    }
  }

  /** Two statements, so that others can come in between. */
  async function tidyUp(database: OpenDatabase): Promise<void> {
    try {
      await database.instance.exec('vacuum (analyze)')
      await database.instance.exec('checkpoint')
    } catch {
      // Nothing is lost by it: the log stays as it is, and the next time comes.
      if (database.failure() !== undefined) holder.drop(database)
    }
  }

  function withinTransaction<Result>(work: () => Promise<Result>): Promise<Result> {
    const mark = { isOpen: true }
    return transactions.run(mark, work).finally(() => {
      mark.isOpen = false
    })
  }

  function assertOutside(): void {
    if (transactions.getStore()?.isOpen) throw databaseInsideHandler()
  }

  return {
    query: (text, values) => use(kindOf(text), (instance) => rowsOf(instance, text, values)),
    transaction: (work, opening = []) =>
      use('write', (instance) =>
        instance.transaction(async (raw) => {
          const { connection, isDestroyed, destroyed } = connect(raw)
          await connection.sendAll(opening)
          const result = await withinTransaction(() => Promise.race([work(connection), destroyed]))
          if (isDestroyed()) throw transactionClosed()
          // PGlite answers a rollback from within like a success.
          if (raw.closed) throw endedByHandler()
          return result
        }),
      ),
    listen: 'alone',
    // The connection that it would end is Postgres itself, and PGlite never returns from the next statement.
    mayEndWhenIdle: false,
    takesBinary: false,
    transactionSlots: 1,
    close: holder.close,
    database: () => ({
      query: async (...parameters) => {
        assertOutside()
        return await use(kindOf(parameters[0]), (instance) => instance.query(...parameters))
      },
      sql: async (...parameters) => {
        assertOutside()
        return await use(kindOf(parameters[0].join('')), (instance) => instance.sql(...parameters))
      },
      exec: async (text) => {
        assertOutside()
        return await use('write', (instance) => instance.exec(text))
      },
      transaction: async (work) => {
        assertOutside()
        return await use('write', (instance) => instance.transaction((raw) => withinTransaction(() => work(raw))))
      },
    }),
  }
}

/** There is no connection to cut: a destroyed one is rejected out of its transaction, and PGlite then rolls back. */
function connect(raw: PGliteTransaction): {
  readonly connection: SqlConnection<PGliteTransaction>
  readonly isDestroyed: () => boolean
  /** Rejects soon after the connection was destroyed, so that an error of the work itself comes first. */
  readonly destroyed: Promise<never>
} {
  let isDestroyed = false
  let rejectOut: (reason: Error) => void = () => {}
  const destroyed = new Promise<never>((_, reject) => {
    rejectOut = reject
  })
  // It may be destroyed when nobody waits any more.
  destroyed.catch(() => {})
  const query: SqlQuery = async (text, values) => {
    if (isDestroyed) throw transactionClosed()
    return rowsOf(raw, text, values)
  }
  return {
    connection: {
      query,
      sendAll: async (statements) => {
        for (const statement of statements) await query(statement)
      },
      raw,
      destroy: () => {
        isDestroyed = true
        setImmediate(() => rejectOut(transactionClosed()))
      },
    },
    isDestroyed: () => isDestroyed,
    destroyed,
  }
}

async function rowsOf<Row>(
  where: PGliteTransaction,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const { rows } = await where.query<Row>(text, [...values], valueConventions)
  return rows
}

/** Only for what is refused when the disk is nearly full: a wrong `write` refuses a read, a wrong `read` lets a few bytes through. */
function kindOf(text: string): 'read' | 'write' {
  return /^\s*(select|show)\b/i.test(text) ? 'read' : 'write'
}

function translate(error: unknown, failure: string | undefined, kind: 'read' | 'write'): unknown {
  if (failure !== undefined) return kind === 'read' ? databaseFailed(failure, error) : commitUnknown(failure, error)
  if (!(error instanceof Error) || isOncehookError(error)) return error
  // PGlite puts the parameters of a statement on its error, and with them what must never reach a log.
  if ('queryOptions' in error) Reflect.deleteProperty(error, 'params')
  return isConflict(error) ? conflict(error) : error
}
