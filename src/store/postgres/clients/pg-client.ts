import { OncehookError } from '../../../errors.ts'
import type { SqlBeside, SqlCall, SqlClient, SqlConnection } from '../sql-client.ts'
import { storeUnavailable } from '../sql-errors.ts'
import { type Beginning, beginLater } from './pg-beginning.ts'
import { acquire, type PgConnection, type PgConnectionOptions } from './pg-connection.ts'
import { checkCommit, checkReplication, explainCommitError, explainQueryError } from './pg-errors.ts'
import { listenOnPool } from './pg-listener.ts'
import { createTurns, type Turns } from './pg-turns.ts'
import type { PgPool, PgTransaction } from './pg-types.ts'

export type PgClientOptions = PgConnectionOptions & {
  /** Asked for at the first use, and every time after. */
  readonly pool: () => Promise<PgPool>
  readonly poolSize: number
  /** Ends the pool if it is ours. */
  readonly close: () => Promise<void>
}

/** Limits for the parts that are not a handler's; those have their own. */
const beginSql = 'begin isolation level read committed'
const limitsSql = [
  "select set_config('lock_timeout', '10s', true), set_config('idle_in_transaction_session_timeout', '60s', true)",
]

/** What opens a handler's frame sets its own limits. */
function openingOf(opening: readonly string[]): readonly string[] {
  return [beginSql, ...(opening.length === 0 ? limitsSql : opening)]
}

/** One connection of a pool for listening and one for our own short statements stay free of handlers. */
const reservedConnections = 2

/** PostgreSQL by way of `pg`. No call ever takes a second connection while it holds one. */
export function createPgClient(options: PgClientOptions): SqlClient<PgTransaction> {
  const { poolSize } = options
  const connect = async (): Promise<PgConnection> => acquire(await options.pool(), options)
  const listeners = new Set<() => Promise<void>>()
  let isClosed = false

  async function once<Result>(work: (connection: PgConnection) => Promise<Result>): Promise<Result> {
    if (isClosed) throw new OncehookError('ONCEHOOK_STOPPED', 'This store was closed. Make a new one.')
    const connection = await connect()
    try {
      const result = await work(connection)
      checkReplication(connection.takeWarnings())
      return result
    } catch (error) {
      throw explainQueryError(error, connection.isLost())
    } finally {
      connection.release()
    }
  }

  async function transaction<Result>(
    work: (connection: SqlConnection<PgTransaction>) => Promise<Result>,
    opening: readonly string[] = [],
  ): Promise<Result> {
    if (isClosed) throw new OncehookError('ONCEHOOK_STOPPED', 'This store was closed. Make a new one.')
    const connection = await connect()
    const beginning = beginLater(connection, openingOf(opening))
    const { call } = beginning
    const { flyWith } = connection
    // Made when they are needed: most transactions begin before their handler has anything to say.
    let turns: Turns | undefined
    const turnsOf = (fly: NonNullable<typeof flyWith>): Turns => {
      turns ??= createTurns(connection, fly, beginning)
      return turns
    }
    const raw = connection.client as unknown as PgTransaction
    let closing: readonly SqlCall[] = []
    const close = (): void => {
      beginning.close()
      turns?.close()
    }
    const { destroy } = connection
    const sendAll = (statements: readonly string[]): Promise<unknown> =>
      beginning.after(() => connection.send(statements.join(';')))
    const closeWith = (calls: readonly SqlCall[]): void => void (closing = calls)
    const openBeside = ({ take }: Turns): SqlBeside<PgTransaction> => {
      const { query, call: send, instead, end, wasBrief } = take('beside')
      return {
        connection: { sendAll, closeWith, destroy, raw, query, call: send, instead: () => instead },
        end,
        wasBrief,
      }
    }
    try {
      if (!connection.hasFlown()) await beginning.begin()
      // Without spreading: this is made for every transaction, and would take as long as a statement.
      const result = await work({
        // Outside of a transaction every statement would be committed by itself.
        begin: flyWith === undefined ? beginning.begin : undefined,
        query: (text, values) => beginning.after(() => connection.query(text, values)),
        sendAll,
        call,
        closeWith,
        raw,
        instead: () =>
          beginning.hasBegun() || flyWith === undefined ? undefined : turnsOf(flyWith).take('alone').instead,
        beside: flyWith === undefined ? undefined : () => openBeside(turnsOf(flyWith)),
        destroy,
      })
      close()
      if (beginning.wasSent() || closing.length > 0) await commit(connection, beginning, closing)
      return result
    } catch (error) {
      close()
      const explained = explainQueryError(error, connection.isLost())
      if (beginning.wasSent()) await rollBack(connection)
      throw explained
    } finally {
      connection.release()
      if (connection.isDestroyed()) terminate(connection.processId())
    }
  }

  /** A closed socket does not stop a statement that is running; nobody waits for this, and it may fail. */
  function terminate(processId: unknown): void {
    if (typeof processId !== 'number') return
    once(({ query }) => query('select pg_terminate_backend($1::int)', [processId])).catch(() => {})
  }

  return {
    query: (text, values) => once(({ query }) => query(text, values)),
    call: (call) =>
      once(async ({ fly }) => {
        const [landed] = await fly([call])
        if (landed === undefined) throw storeUnavailable('it did not answer')
        return landed.rows
      }),
    transaction,
    listen: async (channel, onNotify) => {
      if (poolSize <= reservedConnections)
        throw new RangeError('This pool is too small to keep a connection for listening.')
      const stopListening = await listenOnPool({ connect, channel, onNotify })
      const stop = async (): Promise<void> => {
        listeners.delete(stop)
        await stopListening()
      }
      listeners.add(stop)
      return stop
    },
    transactionSlots: Math.max(1, poolSize - reservedConnections),
    mayEndWhenIdle: true,
    takesBinary: true,
    close: async () => {
      isClosed = true
      await Promise.all([...listeners].map((stop) => stop()))
      await options.close()
    },
  }
}

const commitCall: SqlCall = { text: 'commit' }

async function commit(connection: PgConnection, beginning: Beginning, closing: readonly SqlCall[]): Promise<void> {
  connection.takeWarnings()
  try {
    const landed = await beginning.join((opening) => connection.fly([...opening, ...closing, commitCall]))
    checkCommit(landed.at(-1)?.command ?? '', connection.takeWarnings())
  } catch (error) {
    throw explainCommitError(error, connection.isLost())
  }
}

/** A connection whose state is not certain is worth less than a new one. */
async function rollBack(connection: PgConnection): Promise<void> {
  if (connection.isLost()) return
  try {
    await connection.send('rollback')
  } catch {
    connection.destroy()
  }
}
