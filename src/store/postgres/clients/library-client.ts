import { OncehookError } from '../../../errors.ts'
import type { SqlClient, SqlConnection, SqlQuery } from '../sql-client.ts'
import { commitUnknown, storeUnavailable } from '../sql-errors.ts'
import { createLeash, type Leash } from './leash.ts'
import { checkFate, saysConnectionIsLost } from './library-errors.ts'
import type { LibraryLimits } from './library-store.ts'
import { connectionTimeout, explainCommitError, explainQueryError } from './pg-errors.ts'

/** A library whose connections are out of sight: it is asked to run a transaction, and the database is asked what became of it. */
export type Library<Tx> = {
  /** One statement in its own transaction. */
  readonly query: SqlQuery
  /** The library's own transaction at `read committed`: committed if `work` resolves, rolled back if it rejects. */
  readonly transaction: (leash: Leash, work: (open: LibraryTransaction<Tx>) => Promise<void>) => Promise<void>
  /** What an error of the library means in words of the database, where the library has its own. */
  readonly translate?: (error: unknown) => unknown
  /** Methods of the transaction object that would take it out of our hands. */
  readonly refused: readonly string[]
  readonly mayEndWhenIdle: boolean
  readonly listen: SqlClient<Tx>['listen']
  readonly transactionSlots: number
}

export type LibraryTransaction<Tx> = {
  /** What handlers get. All that it sends passes the leash. */
  readonly raw: Tx
  /** Statements of our own on the same connection, past the leash. */
  readonly query: SqlQuery
}

/** The number is what the database knows the transaction by; process and start are for stopping it from outside. */
const beginSql = `
  select set_config('lock_timeout', '10s', true), set_config('idle_in_transaction_session_timeout', $1::text, true),
    txid_current()::text as "transactionId", pg_backend_pid() as "processId",
    extract(epoch from transaction_timestamp())::text as "startedAt"`

type Begun = { readonly transactionId: string; readonly processId: number; readonly startedAt: string }

/** A success of the library is not believed: PostgreSQL answers a COMMIT after a failed statement with a roll-back, which is no error. */
const fateSql = 'select txid_status($1::bigint) as fate'

/** Only while that very transaction runs: the process may serve another one by now. */
const cancelSql = `
  select pg_cancel_backend(pid) from pg_stat_activity
  where pid = $1::int and extract(epoch from xact_start)::text = $2::text`

/** PostgreSQL by way of a library that keeps its connections to itself. */
export function createLibraryClient<Tx>(library: Library<Tx>, limits: LibraryLimits): SqlClient<Tx> {
  const { connectionTimeoutSeconds, statementTimeoutSeconds } = limits
  let isClosed = false

  const query: SqlQuery = async <Row>(text: string, values?: readonly unknown[]) => {
    if (isClosed) throw closed()
    try {
      return await inTime(library.query<Row>(text, values), statementTimeoutSeconds, notAnswered)
    } catch (error) {
      throw explainQueryError(error, saysConnectionIsLost(error))
    }
  }

  function notAnswered(): OncehookError {
    return storeUnavailable(`it did not answer within ${statementTimeoutSeconds} s`)
  }

  /** Nobody waits for this, and it may fail: nothing of the transaction can be committed any more. */
  function cancel({ processId, startedAt }: Begun): void {
    query(cancelSql, [processId, startedAt]).catch(() => {})
  }

  async function transaction<Result>(
    work: (connection: SqlConnection<Tx>) => Promise<Result>,
    opening: readonly string[] = [],
  ): Promise<Result> {
    if (isClosed) throw closed()
    const leash = createLeash()
    const attempt = startAttempt<Result>()
    const timer = setTimeout(
      () => attempt.giveUp(connectionTimeout(connectionTimeoutSeconds)),
      connectionTimeoutSeconds * 1000,
    )

    const inside = async ({ raw, query: send }: LibraryTransaction<Tx>): Promise<void> => {
      clearTimeout(timer)
      attempt.assertWanted()
      const own: SqlQuery = async <Row>(text: string, values?: readonly unknown[]) => {
        attempt.assertWanted()
        try {
          return await inTime(send<Row>(text, values), statementTimeoutSeconds, notAnswered)
        } catch (error) {
          leash.noteFailure(error)
          if (error instanceof OncehookError) attempt.giveUp(error)
          throw error
        }
      }
      try {
        const [begun] = await own<Begun>(beginSql, [library.mayEndWhenIdle ? '60s' : '0'])
        if (begun === undefined) throw storeUnavailable('it did not answer')
        for (const statement of opening) await own(statement)
        const result = await work({
          query: own,
          sendAll: async (statements) => {
            for (const statement of statements) await own(statement)
          },
          raw,
          guard: (handler) => leash.guard(raw, { handler, refused: library.refused }),
          destroy: () => {
            attempt.destroy()
            cancel(begun)
          },
        })
        leash.assertNothingLate()
        attempt.assertWanted()
        attempt.succeed(result, begun.transactionId)
      } catch (error) {
        attempt.fail(error)
        if (leash.isConnectionLost()) attempt.giveUp(error)
        throw error
      } finally {
        leash.finish()
      }
    }

    // Not before the library is done: it has to roll back even if nobody waits for it any more.
    const running = library.transaction(leash, inside).catch(attempt.abandon).finally(leash.close)
    try {
      await Promise.race([running, attempt.givenUp])
    } catch (error) {
      throw attempt.explain(error, { isConnectionLost: leash.isConnectionLost, translate: library.translate })
    } finally {
      clearTimeout(timer)
    }
    return confirm(attempt.outcome())
  }

  async function confirm<Result>(outcome: Success<Result> | undefined): Promise<Result> {
    if (outcome === undefined) throw commitUnknown('the library came back without having run the work')
    const [row] = await query<{ readonly fate: unknown }>(fateSql, [outcome.transactionId]).catch((error: unknown) => {
      throw commitUnknown('the database could not be asked what became of it', error)
    })
    checkFate(row?.fate)
    return outcome.result
  }

  return {
    query,
    transaction,
    listen: library.listen,
    transactionSlots: library.transactionSlots,
    mayEndWhenIdle: library.mayEndWhenIdle,
    takesBinary: false,
    close: async () => {
      isClosed = true
    },
  }
}

type Success<Result> = { readonly result: Result; readonly transactionId: string }

type Explaining = {
  readonly isConnectionLost: () => boolean
  readonly translate: ((error: unknown) => unknown) | undefined
}

/** What is known of one transaction while two sides tell of it: our work inside, and the library around it. */
function startAttempt<Result>() {
  let outcome: Success<Result> | undefined
  let failure: { readonly error: unknown } | undefined
  let isDestroyed = false
  let isAbandoned = false
  let rejectOut: (error: unknown) => void = () => {}
  const givenUp = new Promise<never>((_, reject) => {
    rejectOut = reject
  })
  givenUp.catch(() => {})

  const giveUp = (error: unknown): void => {
    failure ??= { error }
    rejectOut(error)
  }
  return {
    /** Rejects when there is no point in waiting for the library: it may roll back in its own time. */
    givenUp,
    giveUp,
    /** The library ended before the work did: it lost the connection, or could not have one. */
    abandon: (error: unknown): never => {
      if (outcome === undefined && failure === undefined) {
        isAbandoned = saysConnectionIsLost(error)
        failure = { error }
      }
      throw error
    },
    destroy: () => void (isDestroyed = true),
    fail: (error: unknown): void => {
      failure ??= { error }
      if (isDestroyed) rejectOut(error)
    },
    succeed: (result: Result, transactionId: string) => void (outcome = { result, transactionId }),
    outcome: () => outcome,
    assertWanted: (): void => {
      if (failure !== undefined) throw failure.error
    },
    /** The first error is the reason; what the library says afterwards is a consequence. */
    explain: (error: unknown, { isConnectionLost, translate = (same) => same }: Explaining): unknown => {
      const first = translate(failure === undefined ? error : failure.error)
      const isLost = isConnectionLost() || isAbandoned || (failure === undefined && saysConnectionIsLost(error))
      const isCommitting = outcome !== undefined && failure === undefined
      return isCommitting ? explainCommitError(first, isLost) : explainQueryError(first, isLost)
    },
  }
}

async function inTime<Value>(promise: Promise<Value>, seconds: number, late: () => Error): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), seconds * 1000)
  })
  try {
    return await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
  }
}

function closed(): OncehookError {
  return new OncehookError('ONCEHOOK_STOPPED', 'This store was closed. Make a new one.')
}
