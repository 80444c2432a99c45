import type { GuardedTransaction, Substitutes } from './guarded-transaction.ts'

/** Sends one statement and answers with its rows, column names as written in the SQL. */
export type SqlQuery = <Row = Record<string, unknown>>(
  text: string,
  values?: readonly unknown[],
) => Promise<readonly Row[]>

/**
 * A call of a function of ours. Its text is always the same, so that the server may keep it parsed: a plan for it holds nothing that could
 * become wrong as tables grow. Its values are in the form in which they are sent, and its columns are texts.
 */
export type SqlCall = { readonly text: string; readonly values?: readonly CallValue[] }

/** A text, or bytes in the database's own format; see binary-arrays.ts. */
export type CallValue = string | Buffer | null

export type TextRow = readonly (string | null)[]

export type SendCall = (call: SqlCall) => Promise<readonly TextRow[]>

/**
 * A way to PostgreSQL. `clients/` holds one implementation per library; everything else in this folder only knows this type.
 * `Tx` is what a user of that library calls a transaction.
 */
export type SqlClient<Tx> = {
  /** One statement in its own transaction. Resolves only when it is committed. */
  readonly query: SqlQuery
  /** The same for a call of a function of ours. Undefined where the library has nothing to make it cheaper. */
  readonly call?: SendCall
  /**
   * begin → work → commit. Rolls back and rethrows what `work` throws. A COMMIT that the server did not confirm as such
   * (another command tag, a replication warning, a broken connection) is `ONCEHOOK_COMMIT_UNKNOWN`; deadlocks and serialization
   * failures are `ONCEHOOK_CONFLICT`; a connection that could not be had in time is `ONCEHOOK_CONNECTION_TIMEOUT`.
   */
  readonly transaction: <Result>(
    work: (connection: SqlConnection<Tx>) => Promise<Result>,
    /** Statements without values that follow `begin`, in the same message where the library can. */
    opening?: readonly string[],
  ) => Promise<Result>
  /**
   * Hears `notify` on a channel over a connection of its own, and reconnects by itself. `poll`: this library has no such thing, so others
   * have to be asked for. `alone`: there are no others.
   */
  readonly listen: ((channel: string, onNotify: () => void) => Promise<() => Promise<void>>) | 'poll' | 'alone'
  readonly transactionSlots: number
  /** Whether the database may end a connection that idles too long. Not where the database is part of this process. */
  readonly mayEndWhenIdle: boolean
  /** Whether values may be buffers in the database's own format; see binary-arrays.ts. */
  readonly takesBinary: boolean
  readonly close: () => Promise<void>
}

/** One open transaction. */
export type SqlConnection<Tx> = {
  readonly query: SqlQuery
  /** Sends statements without values, one after the other; in one message where the library can. */
  readonly sendAll: (statements: readonly string[]) => Promise<unknown>
  /** Sends a call of a function of ours; if it is the first, in one message with what begins the transaction. Undefined where that is sent at once. */
  readonly call?: SendCall
  /** Resolves when the transaction has begun. Needed before `raw` is used where there is one. */
  readonly begin?: (() => Promise<unknown>) | undefined
  /**
   * What is sent with COMMIT, in one message: if one of them fails, nothing is committed, and the transaction rejects with its error.
   * Undefined where the library sends COMMIT itself.
   */
  readonly closeWith?: (calls: readonly SqlCall[]) => void
  /** For one of several handlers that run at once. Undefined where the library sends each statement by itself. */
  readonly beside?: (() => SqlBeside<Tx>) | undefined
  /** The library's own transaction object, on this connection, once it has begun. Not yet guarded: see handler-transaction.ts. */
  readonly raw: Tx
  /** Methods that handlers call in place of that object's own. */
  readonly instead?: () => Substitutes | undefined
  /** Guards it where the library's methods are not the place to do so. */
  readonly guard?: (handler: string) => GuardedTransaction<Tx>
  /** Ends the connection at once, whatever it is doing, so that nothing of this transaction can commit. */
  readonly destroy: () => void
}

/** The transaction as one of several handlers sees it. Statements of one are never separated by those of another: see clients/pg-turns.ts. */
export type SqlBeside<Tx> = {
  readonly connection: SqlConnection<Tx>
  /** The handler has returned. Throws if it could not be kept apart from the others: then the transaction must be rolled back. */
  readonly end: () => void
  /** True if it did nothing but send its statements, all of them at once, and wait for the answers. */
  readonly wasBrief: () => boolean
}
