import { OncehookError } from '../../../errors.ts'
import type { SqlClient, SqlConnection } from '../sql-client.ts'
import { commitUnknown } from '../sql-errors.ts'
import { createLeash } from './leash.ts'
import type { LibraryLimits } from './library-store.ts'
import { createPgClient } from './pg-client.ts'
import { acquire } from './pg-connection.ts'
import { checkCommit, explainCommitError, explainQueryError } from './pg-errors.ts'
import { leashPgClient } from './pg-leash.ts'
import type { PgClient, PgPool } from './pg-types.ts'

/** A library that runs its transactions on a client of `pg` that it is given. */
export type PgLibrary<Tx> = {
  /** Where its clients come from, asked for at every use. */
  readonly pool: () => PgPool
  readonly poolSize: number
  /** `pool`: it is a true pool of `pg`, of which one connection can be kept for listening. */
  readonly listen: 'pool' | 'poll'
  /** The library's own transaction at `read committed`: committed if `work` resolves, rolled back if it rejects. */
  readonly transaction: (client: PgClient, work: (raw: Tx) => Promise<void>) => Promise<unknown>
  /** Methods of the transaction object that would take it out of our hands. */
  readonly refused: readonly string[]
}

const limitsSql = ["set local lock_timeout = '10s'", "set local idle_in_transaction_session_timeout = '60s'"]
const processIdSql = 'select pg_backend_pid() as "processId"'

/** PostgreSQL by way of a library over `pg`. The connection is ours, so all that is known of one is known here too. */
export function createPgLibraryClient<Tx>(library: PgLibrary<Tx>, limits: LibraryLimits): SqlClient<Tx> {
  const { poolSize, refused } = library
  const pool = async (): Promise<PgPool> => library.pool()
  const base = createPgClient({ pool, poolSize, close: async () => {}, ...limits })
  let isClosed = false

  async function transaction<Result>(
    work: (connection: SqlConnection<Tx>) => Promise<Result>,
    opening: readonly string[] = [],
  ): Promise<Result> {
    if (isClosed) throw new OncehookError('ONCEHOOK_STOPPED', 'This store was closed. Make a new one.')
    const connection = await acquire(await pool(), limits)
    const leash = createLeash()
    let processId: unknown
    let failure: { readonly error: unknown } | undefined
    let outcome: { readonly result: Result } | undefined
    let tag: string | undefined

    const inside = async (raw: Tx): Promise<void> => {
      try {
        const begun = await connection.send([...limitsSql, ...opening, processIdSql].join(';'))
        processId = begun.rows[0]?.['processId']
        const result = await work({
          query: connection.query,
          sendAll: (statements) => connection.send(statements.join(';')),
          raw,
          guard: (handler) => leash.guard(raw, { handler, refused }),
          destroy: connection.destroy,
        })
        leash.assertNothingLate()
        outcome = { result }
        connection.takeWarnings()
      } catch (error) {
        failure = { error }
        throw error
      } finally {
        leash.finish()
      }
    }

    const client = leashPgClient(connection, leash, (answered) => void (tag = answered))
    try {
      await library.transaction(client, inside)
      return checked(outcome, tag, connection.takeWarnings())
    } catch (error) {
      // The first error is the reason; what the library says afterwards is a consequence.
      const first = failure === undefined ? error : failure.error
      const isLost = connection.isLost()
      // A transaction that its library could not end must not go back to the pool.
      if (tag === undefined) connection.destroy()
      throw outcome === undefined ? explainQueryError(first, isLost) : explainCommitError(error, isLost)
    } finally {
      leash.close()
      connection.release()
      if (connection.isDestroyed() && typeof processId === 'number') terminate(processId)
    }
  }

  /** A closed socket does not stop a statement that is running; nobody waits for this, and it may fail. */
  function terminate(processId: number): void {
    base.query('select pg_terminate_backend($1::int)', [processId]).catch(() => {})
  }

  return {
    ...base,
    transaction,
    listen: library.listen === 'pool' ? base.listen : 'poll',
    close: async () => {
      isClosed = true
      await base.close()
    },
  }
}

function checked<Result>(
  outcome: { readonly result: Result } | undefined,
  tag: string | undefined,
  warnings: readonly string[],
): Result {
  if (outcome === undefined) throw commitUnknown('the library came back without having run the work')
  checkCommit(tag ?? 'nothing', warnings)
  return outcome.result
}
